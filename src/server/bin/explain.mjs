import { readFileSync } from 'node:fs';

/** Open files that a server with some streams needs. */
export const FILES_NEEDED = 400;

/** For an error of too few open files: which limit is needed; else nothing. */
export function describeFileLimit(error) {
  if (error?.code !== 'EMFILE' && error?.code !== 'ENFILE') return '';
  let limit = '';
  try {
    limit = /^Max open files +(\S+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1] ?? '';
  } catch {
    // Another system than Linux, or no file is left for this.
  }
  return `; the limit of open files is ${limit || 'too low'}, and ${FILES_NEEDED} are needed (ulimit -n ${FILES_NEEDED})`;
}

/** What to tell someone whose command could not be built or loaded. */
export function explain(error) {
  if (error?.code === 'ERR_MODULE_NOT_FOUND' && /Cannot find package/.test(error.message)) {
    return `${error.message.split(' imported from')[0]}: run npm install --include=dev first`;
  }
  if (Array.isArray(error?.errors) && error.errors.length > 0) {
    const place = ({ location }) => (location ? `${location.file}:${location.line}:${location.column}: ` : '');
    return error.errors.map((problem) => `${place(problem)}${problem.text}`).join('\n');
  }
  const limit = describeFileLimit(error);
  if (limit) return `${error.message}${limit}`;
  return error?.stack ?? String(error);
}
