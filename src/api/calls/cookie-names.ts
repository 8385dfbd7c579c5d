/**
 * The name of a cookie. With https the prefix `__Host-` binds the cookie to this host and its root path; browsers
 * enforce this (RFC 6265bis, section 4.1.3.2).
 * @param baseUrl the public address
 */
export const cookieName = (name: string, baseUrl: string): string =>
  baseUrl.startsWith('https:') ? `__Host-${name}` : name;

/** The cookie that identifies a signed-in browser. */
export const SESSION_COOKIE = 'session';
