import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { GithubProfile } from '../../../accounts/users/user-service.ts';
import type { SetTimer } from '../../../platform/async/timer.ts';
import { withTimeout } from '../../../platform/async/timer.ts';
import { parseBoundedJson, readBounded } from '../../../platform/json/bounded-json.ts';
import type { GithubSettings } from '../../../platform/settings/config.ts';

/** GitHub did not answer, or not as documented. The message holds neither code nor token. */
export class GithubError extends Error {
  readonly code = 'github_failed';
}

export interface GithubClient {
  /** The address at GitHub that the browser is sent to. */
  authorizeUrl(state: string, verifier: string): string;
  /**
   * Fetches the user who came back with the code.
   * @throws GithubError
   */
  fetchUser(code: string, verifier: string): Promise<GithubProfile>;
}

interface GithubClientParts {
  readonly settings: GithubSettings;
  /** The callback address as registered at GitHub. */
  readonly redirectUri: () => string;
  /** The network. */
  readonly fetch: typeof fetch;
  readonly setTimer: SetTimer;
}

const TIMEOUT_MS = 10_000;
/** Of one response. Real responses are far smaller. */
const RESPONSE_BOUNDS = { maxBytes: 1024 * 1024, maxDepth: 40, maxValues: 100_000 };
const SCOPE = 'read:user user:email';

const TOKEN = z.object({ access_token: z.string().min(1) });
const USER = z.object({ id: z.int().positive(), name: z.string().nullish() });
const EMAILS = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/** Sign-in by a GitHub OAuth app with PKCE (GitHub docs, "Authorizing OAuth apps"). */
export function createGithubClient({ settings, redirectUri, fetch, setTimer }: GithubClientParts): GithubClient {
  const { clientId, clientSecret, oauthUrl, apiUrl } = settings;

  async function requestJson<T>(what: string, form: z.ZodType<T>, url: string, request: RequestInit): Promise<T> {
    const ending = new AbortController();
    const timeoutError = () => new GithubError(`${what}: no whole answer within ${TIMEOUT_MS / 1000} s`);
    try {
      const answer = fetch(url, { ...request, redirect: 'error', signal: ending.signal }).then(async (response) => {
        const bytes = await readBounded(response.body ?? [], RESPONSE_BOUNDS);
        if (!response.ok) throw new GithubError(`${what}: status ${response.status}`);
        return form.parse(await parseBoundedJson(bytes, RESPONSE_BOUNDS));
      });
      return await withTimeout(setTimer, TIMEOUT_MS, answer, timeoutError);
    } catch (error) {
      if (error instanceof GithubError) throw error;
      // The messages of other errors may contain secrets that were sent or received.
      throw new GithubError(`${what}: ${error instanceof TypeError ? 'not reached' : 'not as documented'}`);
    } finally {
      ending.abort();
    }
  }

  return {
    authorizeUrl(state, verifier) {
      const query = new URLSearchParams({
        client_id: clientId,
        redirect_uri: redirectUri(),
        scope: SCOPE,
        state,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      });
      return `${oauthUrl}/login/oauth/authorize?${query}`;
    },
    async fetchUser(code, verifier) {
      const { access_token: token } = await requestJson('token', TOKEN, `${oauthUrl}/login/oauth/access_token`, {
        method: 'POST',
        headers: { accept: 'application/json', 'user-agent': USER_AGENT },
        body: new URLSearchParams({
          client_id: clientId,
          client_secret: clientSecret,
          code,
          redirect_uri: redirectUri(),
          code_verifier: verifier,
        }),
      });
      const headers = {
        accept: 'application/vnd.github+json',
        authorization: `Bearer ${token}`,
        'user-agent': USER_AGENT,
        'x-github-api-version': '2022-11-28',
      };
      const [user, emails] = await Promise.all([
        requestJson('user', USER, `${apiUrl}/user`, { headers }),
        requestJson('emails', EMAILS, `${apiUrl}/user/emails?per_page=100`, { headers }),
      ]);
      const primary = emails.find((one) => one.primary && one.verified);
      return { id: String(user.id), name: user.name ?? null, verifiedEmail: primary?.email ?? null };
    },
  };
}

const USER_AGENT = 'Ledgerline';
