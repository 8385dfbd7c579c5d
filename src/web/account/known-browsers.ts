import type { BrowserState } from '../../accounts/users/user-service.ts';
import type { PageCookies } from '../layout/page-cookies.ts';
import type { PageRequest } from './page-route.ts';
import { createTextSigner } from './text-signer.ts';

/** The cookie by which a browser that has had sessions here is known again, also after they have ended. */
export interface KnownBrowsers {
  /** What the browser knows of itself, for a sign-in. */
  stateOf(visit: Pick<PageRequest, 'cookie' | 'session'>): BrowserState;
  /** The `Set-Cookie` value after a sign-in of this user. */
  remember(visit: Pick<PageRequest, 'cookie'>, userId: number): string;
}

type KnownBrowser = NonNullable<BrowserState['known']>;

const COOKIE = 'browser';
/** The most that browsers keep: 400 days. */
const SECONDS = 400 * 24 * 60 * 60;
const NAME_BYTES = 18;
/** Users that one browser is known for; the last ones count. */
const MAX_USERS = 5;

interface KnownBrowsersParts {
  readonly cookies: Pick<PageCookies, 'write'>;
  /** SESSION_SECRET. */
  readonly secret: string;
  readonly randomBytes: (size: number) => Uint8Array;
}

export function createKnownBrowsers({ cookies, secret, randomBytes }: KnownBrowsersParts): KnownBrowsers {
  const signer = createTextSigner(secret, 'known browsers');

  function read({ cookie }: Pick<PageRequest, 'cookie'>): KnownBrowser | undefined {
    const text = signer.verify(cookie(COOKIE) ?? '');
    return text ? (JSON.parse(text) as KnownBrowser) : undefined;
  }

  return {
    stateOf: (visit) => ({ session: visit.session, known: read(visit) }),
    remember(visit, userId) {
      const known = read(visit) ?? { name: Buffer.from(randomBytes(NAME_BYTES)).toString('base64url'), userIds: [] };
      const userIds = [userId, ...known.userIds.filter((id) => id !== userId)].slice(0, MAX_USERS);
      return cookies.write(COOKIE, signer.sign(JSON.stringify({ ...known, userIds })), SECONDS);
    },
  };
}
