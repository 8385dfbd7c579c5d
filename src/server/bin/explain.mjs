/** What to tell someone whose command could not be built or loaded. */
export function explain(error) {
  if (error?.code === 'ERR_MODULE_NOT_FOUND' && /Cannot find package/.test(error.message)) {
    return `${error.message.split(' imported from')[0]}: run npm install first`;
  }
  if (Array.isArray(error?.errors) && error.errors.length > 0) {
    const place = ({ location }) => (location ? `${location.file}:${location.line}:${location.column}: ` : '');
    return error.errors.map((problem) => `${place(problem)}${problem.text}`).join('\n');
  }
  return error?.stack ?? String(error);
}
