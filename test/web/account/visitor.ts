/** A page as a browser has it. */
export interface Seen {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Path and query of a redirect. */
  readonly to: string | undefined;
}

export type Fields = Readonly<Record<string, string>> | readonly (readonly [string, string])[];

/**
 * A browser without scripts: it keeps cookies, and posts the forms that it was shown.
 * @param always headers of each request, such as a proxy adds
 */
export function createVisitor(url: string, always: Readonly<Record<string, string>> = {}) {
  const cookies = new Map<string, string>();

  async function ask(path: string, init: RequestInit = {}): Promise<Seen> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = {
      accept: 'text/html',
      ...always,
      ...(cookie === '' ? {} : { cookie }),
      ...(init.headers as object),
    };
    const response = await fetch(url + path, { redirect: 'manual', ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/;\s*max-age=0(?:;|$)/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      to: response.headers.get('location') ?? undefined,
    };
  }

  return {
    cookies,
    get: (path: string, headers: Readonly<Record<string, string>> = {}) => ask(path, { headers }),
    head: (path: string) => ask(path, { method: 'HEAD' }),
    /** With the token of the page that is named, by default the page of the same path. */
    async post(path: string, fields: Fields = {}, { page = path, headers = {} } = {}): Promise<Seen> {
      const { text } = await ask(page);
      const [, token = ''] = /name="_csrf" value="([^"]+)"/.exec(text) ?? [];
      const given = Array.isArray(fields) ? fields : Object.entries(fields);
      const body = new URLSearchParams([['_csrf', token], ...(given as [string, string][])]);
      return ask(path, { method: 'POST', body, headers });
    },
  };
}
export type Visitor = ReturnType<typeof createVisitor>;

/** Sends the form of the page to which the link in a mail leads. @param path of the link, with its token */
export const verifyAddress = (visitor: Visitor, path: string, password: string): Promise<Seen> =>
  visitor.post(
    '/verify-email',
    { token: new URL(path, 'http://x').searchParams.get('token')!, password },
    { page: path },
  );

/** The text of the one flash message; undefined where there is none. */
export const flashOf = ({ text }: Seen): string | undefined => /role="status">([^<]*)</.exec(text)?.[1];
export const titleOf = ({ text }: Seen): string | undefined => /<h1>([^<]*)<\/h1>/.exec(text)?.[1];
/** The `Set-Cookie` of this name. */
export const cookieOf = ({ headers }: Seen, name: string): string | undefined =>
  headers.getSetCookie().find((line) => line.startsWith(`${name}=`));
/** What is typed in a field of the page. */
export const typedIn = ({ text }: Seen, name: string): string | undefined =>
  new RegExp(`<input[^>]* name="${name}"[^>]*?(?: value="([^"]*)")[^>]*>`).exec(text)?.[1];
