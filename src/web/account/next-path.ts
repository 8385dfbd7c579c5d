/**
 * Where a sign-in leads: a path of this server, else undefined. Browsers take `//host` and `/\host` for other servers,
 * and drop control characters before they look.
 */
export function nextPath(values: readonly string[]): string | undefined {
  const [next] = values;
  if (next === undefined || values.length > 1) return undefined;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  return /^\/(?![/\\])[^\u0000-\u001f\u007f]*$/.test(next) ? next : undefined;
}

/** The page where whoever is not signed in does so first. @param target path and query */
export const signInPath = (target: string): string => `/login?next=${encodeURIComponent(target)}`;
