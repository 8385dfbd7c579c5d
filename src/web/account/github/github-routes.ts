import type { GithubSignInOutcome, UserService } from '../../../accounts/users/user-service.ts';
import type { SecretBox } from '../../../api/calls/secret-box.ts';
import { RefusedError } from '../../../domain/primitives/domain-errors.ts';
import { html } from '../../layout/html.ts';
import type { PageCookies } from '../../layout/page-cookies.ts';
import { pathAfterSignIn, suspendedPage } from '../after-sign-in.ts';
import { currentPasswordField, postForm, refusalBox, submitButton } from '../form-fields.ts';
import { fieldText, untrimmedFieldText } from '../form-values.ts';
import type { KnownBrowsers } from '../known-browsers.ts';
import { notFound } from '../page-errors.ts';
import { errorFlash, pageResponse, redirect, successFlash } from '../page-responses.ts';
import type { PageRequest, PageResponse, PageRoute, Refusal } from '../page-route.ts';
import { isEqualInConstantTime } from '../text-signer.ts';
import { type GithubClient, GithubError } from './github-client.ts';
import type { UsedOauthStates } from './used-oauth-states.ts';

interface GithubParts {
  /** Absent if users cannot sign in with GitHub. */
  readonly client: GithubClient | undefined;
  readonly users: Pick<UserService, 'signInByGithub' | 'linkGithub' | 'mustConfirm' | 'confirmSession'>;
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
  /** The session of the user to link GitHub to; null for a sign-in. With the session the round trip ends. */
  readonly sessionId: number | null;
}

const COOKIE = 'oauth';
const SEAL_CONTEXT = 'github round trip';
const SECONDS = 600;
const ACCOUNT = '/account';
const START = '/oauth/github/start';
/** Longer than any text that GitHub documents. */
const LONGEST_DESCRIPTION = 300;
const OTHER_GITHUB =
  'The account of this address is linked to another GitHub account. Sign in with that one, or with your password.';

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
    if (trip.sessionId !== null && trip.sessionId !== visit.session?.id) return undefined;
    return (await usedStates.markUsed(trip.state, trip.until, now())) ? trip : undefined;
  }

  /** Begins a round trip: for a sign-in, or to link GitHub to the user of the session. */
  function toGithub(github: GithubClient, { session, query }: PageRequest): PageResponse {
    const trip: OauthRoundTrip = {
      state: random(),
      verifier: random(),
      until: now() + SECONDS * 1000,
      next: pathAfterSignIn(query.getAll('next')),
      sessionId: session?.id ?? null,
    };
    const tripCookie = cookies.write(COOKIE, box.seal(JSON.stringify(trip), SEAL_CONTEXT), SECONDS);
    return redirect(github.authorizeUrl(trip.state, trip.verifier), undefined, [tripCookie]);
  }

  async function signIn(visit: PageRequest, outcome: GithubSignInOutcome, next: string): Promise<PageResponse> {
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
      case 'other_github':
        return redirect('/login', errorFlash(OTHER_GITHUB), [over]);
      case 'wrong':
        return redirect('/login', errorFlash('GitHub gave no verified e-mail address that can sign in here.'), [over]);
    }
  }

  return [
    {
      method: 'GET',
      path: START,
      access: 'open',
      async run(visit) {
        const github = client();
        if (visit.isHead) return pageResponse('Sign in with GitHub', html``);
        // A stolen session alone must not be able to plant another way to sign in.
        if (visit.session && (await users.mustConfirm(visit.session))) return confirmPage(visit);
        return toGithub(github, visit);
      },
    },
    {
      method: 'POST',
      path: START,
      access: 'signed-in',
      async run(visit) {
        client();
        await users.confirmSession(visit.session, untrimmedFieldText(visit.form, 'current_password'), visit.client);
        // A form may not lead to another site, not even by a redirect: the policy of its page forbids it.
        return redirect(ACCOUNT, successFlash('Your password is right. Link GitHub in the next 15 minutes.'));
      },
      refused: async (visit, refusal) => confirmPage(visit, refusal),
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
          return redirect('/login', errorFlash(errorText(visit, trip !== undefined)), [cookies.end(COOKIE)]);
        }
        const code = fieldText(visit.query, 'code');
        if (!trip || code === '') return foreignPage();
        try {
          const person = await github.fetchUser(code, trip.verifier);
          if (trip.sessionId === null) {
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

/**
 * What GitHub says of a failure.
 * @param isOwn whether this browser has begun the round trip. Else the text is not shown: anybody can make a link with
 *   any text.
 */
function errorText({ query }: PageRequest, isOwn: boolean): string {
  const text =
    query.get('error') === 'access_denied'
      ? 'Signing in with GitHub was cancelled.'
      : 'GitHub has refused. Try again, or sign in otherwise.';
  const described = fieldText(query, 'error_description')
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .slice(0, LONGEST_DESCRIPTION);
  return isOwn && described !== '' ? `${text} GitHub says: ${described}` : text;
}

const confirmPage = (visit: PageRequest, refusal?: Refusal): PageResponse =>
  pageResponse(
    'Link GitHub',
    visit.session?.user.hasPassword
      ? html`${refusalBox(refusal)}<p>Give your password first: whoever has the GitHub account can sign in with it from then on.</p>
${postForm(
  visit,
  START,
  html`${currentPasswordField({ name: 'current_password', label: 'Current password', required: true }, refusal)}
${submitButton('Continue')}`,
)}`
      : html`${refusalBox(refusal)}<p>You have signed in more than 15 minutes ago. Sign out, sign in again, and come back here.</p>
<p><a href="/logout">Sign out</a></p>`,
  );

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
