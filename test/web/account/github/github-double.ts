import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenBelow32768 } from '../../../api/http/listening.ts';

/** Somebody who signs in there. */
export interface GithubDoubleUser {
  readonly id: number;
  readonly name: string | null;
  readonly emails: readonly { readonly email: string; readonly primary: boolean; readonly verified: boolean }[];
}

const APP = { clientId: 'Iv1.double', clientSecret: 'github-double-secret' };

/**
 * A DOUBLE of GitHub's sign-in, on loopback: no part of GitHub. It speaks the routes that are used as GitHub documents
 * them: the page to authorize (which agrees at once), the exchange of a code with PKCE, `/user` and `/user/emails`.
 */
export async function serveGithubDouble() {
  const codes = new Map<
    string,
    { readonly user: GithubDoubleUser; readonly challenge: string; readonly uri: string }
  >();
  const tokens = new Map<string, GithubDoubleUser>();
  const requests: { readonly path: string; readonly form: URLSearchParams; readonly accept: string }[] = [];
  const state = {
    user: { id: 1, name: 'Ann', emails: [] } as GithubDoubleUser,
    /** Answers in the place of its own, by path. */
    faults: new Map<string, { readonly status: number; readonly body: string } | 'silent'>(),
  };
  let made = 0;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, searchParams: query } = new URL(request.url!, 'http://double');
    let body = '';
    for await (const piece of request) body += String(piece);
    const form = new URLSearchParams(body);
    requests.push({ path, form, accept: request.headers.accept ?? '' });
    const fault = state.faults.get(path);
    if (fault === 'silent') return;
    const json = (status: number, value: unknown) =>
      void response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
    if (fault) return void response.writeHead(fault.status).end(fault.body);
    if (path === '/login/oauth/authorize') {
      const code = `code-${++made}`;
      const uri = query.get('redirect_uri')!;
      codes.set(code, { user: state.user, challenge: query.get('code_challenge')!, uri });
      const back = `${uri}?${new URLSearchParams({ code, state: query.get('state')! })}`;
      return void response.writeHead(302, { Location: back }).end();
    }
    if (path === '/login/oauth/access_token' && request.method === 'POST') {
      const known = codes.get(form.get('code') ?? '');
      codes.delete(form.get('code') ?? '');
      const isApp = form.get('client_id') === APP.clientId && form.get('client_secret') === APP.clientSecret;
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      // GitHub tells such errors with 200.
      if (!isApp) return json(200, { error: 'incorrect_client_credentials' });
      if (known?.challenge !== challenge || known.uri !== form.get('redirect_uri')) {
        return json(200, { error: 'bad_verification_code' });
      }
      const token = `gho_${++made}`;
      tokens.set(token, known.user);
      return json(200, { access_token: token, scope: 'read:user,user:email', token_type: 'bearer' });
    }
    const user = tokens.get(/^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '');
    if (!user) return json(401, { message: 'Bad credentials' });
    if (path === '/user') return json(200, { id: user.id, login: 'login', name: user.name });
    if (path === '/user/emails') return json(200, user.emails);
    return json(404, { message: 'Not Found' });
  }

  const server = createServer((request, response) => void answer(request, response));
  const port = await listenBelow32768(server);
  const url = `http://127.0.0.1:${port}`;
  return {
    settings: { ...APP, oauthUrl: url, apiUrl: url },
    state,
    requests,
    /** What the user does there. @returns where GitHub leads him back to */
    async authorize(address: string): Promise<URL> {
      const response = await fetch(address, { redirect: 'manual' });
      return new URL(response.headers.get('location')!);
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
export type GithubDouble = Awaited<ReturnType<typeof serveGithubDouble>>;
