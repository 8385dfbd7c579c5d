import type { IncomingMessage } from 'node:http';
import { parseCookie, stringifySetCookie } from 'cookie';
import { cookieName, SESSION_COOKIE } from '../../api/calls/cookie-names.ts';

/** The cookies of the pages, named by `cookieName`. */
export interface PageCookies {
  /** The value of the session cookie; undefined if there is none. */
  sessionTokenOf(request: IncomingMessage): string | undefined;
  /**
   * A `Set-Cookie` value.
   * @param maxAgeSeconds null: the cookie ends with the browser
   */
  session(token: string, maxAgeSeconds: number | null): string;
  endedSession(): string;
  /** Reads one of the other small cookies, such as that of a flash message or of a visitor. */
  read(request: IncomingMessage, name: string): string | undefined;
  write(name: string, value: string, maxAgeSeconds: number | null): string;
  end(name: string): string;
}

/** @param baseUrl the public address */
export function createPageCookies(baseUrl: () => string): PageCookies {
  const isSecure = () => baseUrl().startsWith('https:');
  const nameOf = (name: string) => cookieName(name, baseUrl());

  const write: PageCookies['write'] = (name, value, maxAgeSeconds) =>
    stringifySetCookie({
      name: nameOf(name),
      value,
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: isSecure(),
      ...(maxAgeSeconds === null ? {} : { maxAge: maxAgeSeconds }),
    });
  const end = (name: string) => write(name, '', 0);
  const read: PageCookies['read'] = ({ headers }, name) => parseCookie(headers.cookie ?? '')[nameOf(name)];

  return {
    sessionTokenOf: (request) => read(request, SESSION_COOKIE),
    session: (token, maxAgeSeconds) => write(SESSION_COOKIE, token, maxAgeSeconds),
    endedSession: () => end(SESSION_COOKIE),
    read,
    write,
    end,
  };
}
