/** Leaves out `Cache-Control`, for a page that sends its own. */
export const withoutCaching = (headers: readonly string[]): string[] => {
  const at = headers.indexOf('Cache-Control');
  return headers.filter((_, index) => at < 0 || (index !== at && index !== at + 1));
};
