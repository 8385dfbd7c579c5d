/**
 * What a cookie of the server's pages is called: with https it belongs to this host and its root alone, which browsers hold
 * by the prefix (RFC 6265bis, section 4.1.3.2).
 * @param baseUrl the public address
 */
export const cookieName = (name: string, baseUrl: string): string =>
  baseUrl.startsWith('https:') ? `__Host-${name}` : name;

/** The cookie by which a browser that is signed in is known. */
export const SESSION_COOKIE = 'session';
