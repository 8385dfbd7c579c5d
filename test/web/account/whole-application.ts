import type { OutgoingHttpHeaders } from 'node:http';
import { request as send } from 'node:http';
import { vi } from 'vitest';
import type { Mail } from '../../../src/platform/mail/mail.ts';
import { CHEAP } from '../../accounts/users/users-world.ts';
import { type ComposedOptions, composed } from '../../support/composed.ts';

export const PASSWORD = 'a fine long password';

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly location: string | undefined;
  readonly cookies: readonly string[];
  readonly text: string;
}

export interface Asked {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
}

/** One request on a connection, with any headers: what `fetch` would not send is sent as well. */
export function ask(url: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const request = send(url, { method, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          location: response.headers.location,
          cookies: response.headers['set-cookie'] ?? [],
          text: Buffer.concat(parts).toString('utf8'),
        }),
      );
    });
    request.on('error', reject);
    request.end(body);
  });
}

export type Fields = Readonly<Record<string, string>> | readonly (readonly [string, string])[];

/** A browser of somebody: keeps cookies, and fills in the token of the forms that it was shown. */
export function browserOf(url: string) {
  const jar = new Map<string, string>();

  async function go(path: string, asked: Asked = {}): Promise<Answered> {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await ask(url + path, {
      ...asked,
      headers: { accept: 'text/html', ...(cookie === '' ? {} : { cookie }), ...asked.headers },
    });
    for (const one of answer.cookies) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(one)!;
      if (/;\s*max-age=0\b/i.test(one)) jar.delete(name!);
      else jar.set(name!, value!);
    }
    return answer;
  }

  /** Of any form that this browser would be shown now. */
  async function token(): Promise<string> {
    for (const path of ['/account', '/login']) {
      const found = /name="_csrf" value="([^"]+)"/.exec((await go(path)).text)?.[1];
      if (found !== undefined) return found;
    }
    throw new Error('no form was shown');
  }

  async function post(path: string, fields: Fields = {}, headers: OutgoingHttpHeaders = {}): Promise<Answered> {
    const given = (Array.isArray(fields) ? fields : Object.entries(fields)) as [string, string][];
    const own = given.some(([name]) => name === '_csrf') ? [] : [['_csrf', await token()]];
    return go(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams([...own, ...given] as [string, string][]).toString(),
    });
  }

  return {
    jar,
    go,
    token,
    post,
    get: (path: string, headers: OutgoingHttpHeaders = {}) => go(path, { headers }),
    signIn: (email: string, more: Readonly<Record<string, string>> = {}) =>
      post('/login', { email, password: PASSWORD, ...more }),
    /** The value of the session's cookie. */
    session: () => jar.get('__Host-session') ?? jar.get('session'),
  };
}
export type TestBrowser = ReturnType<typeof browserOf>;

/** The server that ships, with mails that are kept, and passwords that are quick to hash. */
export async function wholeSite(options: ComposedOptions = {}) {
  const mails: Mail[] = [];
  const opened = await composed({
    ...options,
    replacements: {
      hashing: CHEAP,
      mailer: { description: 'mails are kept', send: async (mail) => void mails.push(mail) },
      ...options.replacements,
    },
  });
  await opened.core.runner.start();
  await opened.core.projected();
  const { users } = opened.server.people;
  const browser = () => browserOf(opened.url);

  return {
    ...opened,
    mails,
    browser,
    people: users,
    /** A verified user. */
    async user(email: string, more: { readonly staff?: boolean; readonly name?: string } = {}) {
      const { user } = await users.operators.create({ email, password: PASSWORD, staff: false, ...more });
      return user;
    },
    /** Somebody's browser, signed in. */
    async signedIn(email: string) {
      const one = browser();
      const answer = await one.signIn(email);
      if (answer.status !== 303) throw new Error(`not signed in: ${answer.status}`);
      return one;
    },
    /** The mails that have come since the last time: at least so many. */
    async mailed(least = 1): Promise<readonly Mail[]> {
      await opened.server.people.resume();
      await vi.waitFor(
        () => {
          if (mails.length < least) throw new Error(`${mails.length} mails`);
        },
        { timeout: 10_000, interval: 10 },
      );
      return mails.splice(0);
    },
  };
}
export type WholeSite = Awaited<ReturnType<typeof wholeSite>>;

/** Path and query of the link in a mail. */
export function linkIn({ text }: Mail): string {
  const found = /https?:\/\/[^/\s]+(\/\S*token=\S+)/.exec(text);
  if (!found) throw new Error(`no link in ${text}`);
  return found[1]!;
}
