import type { SignInOutcome, UserService } from '../../../accounts/users/user-service.ts';
import type { SecretBox } from '../../../api/calls/secret-box.ts';
import { RefusedError } from '../../../domain/primitives/domain-errors.ts';
import { html } from '../../layout/html.ts';
import { pathAfterSignIn, suspendedPage } from '../after-sign-in.ts';
import { fieldText } from '../form-values.ts';
import type { KnownBrowsers } from '../known-browsers.ts';
import type { PageCookies } from '../page-cookies.ts';
import { notFound } from '../page-errors.ts';
import { errorFlash, pageResponse, redirect, successFlash } from '../page-responses.ts';
import type { PageRequest, PageResponse, PageRoute } from '../page-route.ts';
import { isEqualInConstantTime } from '../text-signer.ts';
import { type GithubClient, GithubError } from './github-client.ts';
import type { UsedOauthStates } from './used-oauth-states.ts';

interface GithubParts {
  /** Absent if users cannot sign in with GitHub. */
  readonly client: GithubClient | undefined;
  readonly users: Pick<UserService, 'signInByGithub' | 'linkGithub'>;
  readonly usedStates: UsedOauthStates;
  readonly box: SecretBox;
  readonly cookies: Pick<PageCookies, 'session' | 'write' | 'end'>;
  readonly browsers: KnownBrowsers;
  /** Milliseconds. */
  readonly now: () => number;
  readonly randomBytes: (size: number) => Uint8Array;
  readonly log: { warn(fields: Readonly<Record<string, unknown>>, message: string): void };
}

/** What a browser keeps in a cookie while the user is at GitHub. */
interface OauthRoundTrip {
  readonly state: string;
  /** The PKCE code verifier. */
  readonly verifier: string;
  readonly next: string;
  /** Milliseconds. */
  readonly until: number;
  /** The user to link GitHub to; null for a sign-in. */
  readonly userId: number | null;
}

const COOKIE = 'oauth';
const SEAL_CONTEXT = 'github round trip';
const SECONDS = 600;
const ACCOUNT = '/account';

/** Signing in with GitHub, and linking GitHub to the signed-in user. */
export function githubRoutes(parts: GithubParts): readonly PageRoute[] {
  const { users, usedStates, box, cookies, browsers, now, randomBytes, log } = parts;
  const random = () => Buffer.from(randomBytes(32)).toString('base64url');

  /** @throws ApiError not_found */
  function client(): GithubClient {
    if (!parts.client) throw notFound();
    return parts.client;
  }

  function tripOf(visit: PageRequest): OauthRoundTrip | undefined {
    const sealed = visit.cookie(COOKIE);
    if (sealed === undefined) return undefined;
    try {
      return JSON.parse(box.open(sealed, SEAL_CONTEXT)) as OauthRoundTrip;
    } catch {
      return undefined;
    }
  }

  /** Ends a round trip, which is possible once. Undefined if this browser began none with this state. */
  async function ended(visit: PageRequest): Promise<OauthRoundTrip | undefined> {
    const trip = tripOf(visit);
    if (!trip || visit.query.getAll('state').length !== 1) return undefined;
    if (!isEqualInConstantTime(visit.query.get('state')!, trip.state) || trip.until <= now()) return undefined;
    if (trip.userId !== null && trip.userId !== visit.session?.user.id) return undefined;
    return (await usedStates.markUsed(trip.state, trip.until, now())) ? trip : undefined;
  }

  async function signIn(visit: PageRequest, outcome: SignInOutcome, next: string): Promise<PageResponse> {
    const over = cookies.end(COOKIE);
    switch (outcome.outcome) {
      case 'signed_in': {
        const { leadsTo = next, token, session, maxAgeSeconds } = outcome;
        const known = browsers.remember(visit, session.user.id);
        return redirect(leadsTo, undefined, [over, cookies.session(token, maxAgeSeconds), known]);
      }
      case 'suspended':
        return suspendedPage();
      case 'unverified':
        return redirect('/verify-email', undefined, [over]);
      case 'wrong':
        return redirect('/login', errorFlash('GitHub gave no verified e-mail address that can sign in here.'), [over]);
    }
  }

  return [
    {
      method: 'GET',
      path: '/oauth/github/start',
      access: 'open',
      async run(visit) {
        const github = client();
        if (visit.isHead) return pageResponse('Sign in with GitHub', html``);
        const { session } = visit;
        const trip: OauthRoundTrip = {
          state: random(),
          verifier: random(),
          until: now() + SECONDS * 1000,
          next: pathAfterSignIn(visit.query.getAll('next')),
          userId: session?.user.id ?? null,
        };
        const tripCookie = cookies.write(COOKIE, box.seal(JSON.stringify(trip), SEAL_CONTEXT), SECONDS);
        return redirect(github.authorizeUrl(trip.state, trip.verifier), undefined, [tripCookie]);
      },
    },
    {
      method: 'GET',
      path: '/oauth/github/callback',
      access: 'open',
      async run(visit) {
        const github = client();
        if (visit.isHead) return pageResponse('Sign in with GitHub', html``);
        const trip = await ended(visit);
        if (visit.query.has('error')) {
          return redirect('/login', errorFlash(errorText(visit)), [cookies.end(COOKIE)]);
        }
        const code = fieldText(visit.query, 'code');
        if (!trip || code === '') return foreignPage();
        try {
          const person = await github.fetchUser(code, trip.verifier);
          if (trip.userId === null) {
            const outcome = await users.signInByGithub(person, visit.client, browsers.stateOf(visit));
            return await signIn(visit, outcome, trip.next);
          }
          await users.linkGithub(visit.session!, person.id, visit.client);
          return redirect(ACCOUNT, successFlash('GitHub is linked: you can sign in with it.'), [cookies.end(COOKIE)]);
        } catch (error) {
          if (error instanceof RefusedError) return redirect(ACCOUNT, errorFlash(error.message), [cookies.end(COOKIE)]);
          if (!(error instanceof GithubError)) throw error;
          log.warn({ reason: error.message }, 'GitHub has failed while somebody was signing in with it');
          return failedPage();
        }
      },
    },
  ];
}

/** GitHub's text is not shown: anybody can make a link with any text. */
const errorText = ({ query }: PageRequest): string =>
  query.get('error') === 'access_denied'
    ? 'Signing in with GitHub was cancelled.'
    : 'GitHub has refused. Try again, or sign in otherwise.';

const again = html`<p><a href="/login">Sign in</a></p>`;

const foreignPage = (): PageResponse =>
  pageResponse(
    'This sign-in cannot go on',
    html`<p>It was begun in another browser or more than ten minutes ago, or has ended already. Begin again.</p>${again}`,
    { status: 400 },
  );

const failedPage = (): PageResponse =>
  pageResponse(
    'GitHub does not answer',
    html`<p>GitHub has not told who you are. Nothing was changed here. Try again in a while.</p>${again}`,
    { status: 502 },
  );
