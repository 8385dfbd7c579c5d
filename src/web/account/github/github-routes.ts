import type { People, SignIn } from '../../../accounts/users/people.ts';
import type { SecretBox } from '../../../api/calls/secret-box.ts';
import { Refused } from '../../../domain/refused-act.ts';
import { html } from '../../layout/html.ts';
import { done, failed, page, redirect } from '../answers.ts';
import type { SiteCookies } from '../cookies.ts';
import { notFound } from '../not-found.ts';
import { afterSignIn } from '../sign-in/after-sign-in.ts';
import { suspendedPage } from '../sign-in/suspended-page.ts';
import { isSame } from '../signed.ts';
import { textOf } from '../values.ts';
import type { SiteAnswer, SiteRoute, Visit } from '../visit.ts';
import { type GithubClient, GithubFailed } from './github-client.ts';
import type { UsedStates } from './used-states.ts';

export interface GithubParts {
  /** Absent: nobody signs in with GitHub. */
  readonly client: GithubClient | undefined;
  readonly people: Pick<People, 'signInByGithub' | 'linkGithub'>;
  readonly used: UsedStates;
  readonly box: SecretBox;
  readonly cookies: Pick<SiteCookies, 'session' | 'write' | 'end'>;
  /** Milliseconds. */
  readonly now: () => number;
  readonly randomBytes: (size: number) => Uint8Array;
  readonly log: { warn(fields: Readonly<Record<string, unknown>>, message: string): void };
}

/** What a browser keeps while it is at GitHub. */
interface RoundTrip {
  readonly state: string;
  /** Of PKCE. */
  readonly verifier: string;
  readonly next: string;
  /** Milliseconds. */
  readonly until: number;
  /** Whom GitHub is to be linked to; null: somebody signs in. */
  readonly userId: number | null;
}

const COOKIE = 'oauth';
const PLACE = 'github round trip';
const SECONDS = 600;
const ACCOUNT = '/account';

/** Signing in with GitHub, and linking it to whoever is signed in. */
export function githubRoutes(parts: GithubParts): readonly SiteRoute[] {
  const { people, used, box, cookies, now, randomBytes, log } = parts;
  const random = () => Buffer.from(randomBytes(32)).toString('base64url');

  /** @throws ApiError not_found */
  function client(): GithubClient {
    if (!parts.client) throw notFound();
    return parts.client;
  }

  function tripOf(visit: Visit): RoundTrip | undefined {
    const sealed = visit.cookie(COOKIE);
    if (sealed === undefined) return undefined;
    try {
      return JSON.parse(box.open(sealed, PLACE)) as RoundTrip;
    } catch {
      return undefined;
    }
  }

  /** The round trip that ends here, which it does once. Undefined: none of this browser's. */
  async function ended(visit: Visit): Promise<RoundTrip | undefined> {
    const trip = tripOf(visit);
    if (!trip || visit.query.getAll('state').length !== 1) return undefined;
    if (!isSame(visit.query.get('state')!, trip.state) || trip.until <= now()) return undefined;
    if (trip.userId !== null && trip.userId !== visit.session?.user.id) return undefined;
    return (await used.use(trip.state, trip.until, now())) ? trip : undefined;
  }

  async function signIn(outcome: SignIn, next: string): Promise<SiteAnswer> {
    const over = cookies.end(COOKIE);
    switch (outcome.outcome) {
      case 'signed_in': {
        const { leadsTo = next, token, maxAgeSeconds } = outcome;
        return redirect(leadsTo, undefined, [over, cookies.session(token, maxAgeSeconds)]);
      }
      case 'suspended':
        return suspendedPage();
      case 'unverified':
        return redirect('/verify-email', undefined, [over]);
      case 'wrong':
        return redirect('/login', failed('GitHub has told no verified e-mail address that can sign in here.'), [over]);
    }
  }

  return [
    {
      method: 'GET',
      path: '/oauth/github/start',
      access: 'open',
      async run(visit) {
        const github = client();
        if (visit.isHead) return page('Sign in with GitHub', html``);
        const { session } = visit;
        const trip: RoundTrip = {
          ...{ state: random(), verifier: random(), until: now() + SECONDS * 1000 },
          ...{ next: afterSignIn(visit.query.getAll('next')), userId: session?.user.id ?? null },
        };
        const kept = cookies.write(COOKIE, box.seal(JSON.stringify(trip), PLACE), SECONDS);
        return redirect(github.authorizeUrl(trip.state, trip.verifier), undefined, [kept]);
      },
    },
    {
      method: 'GET',
      path: '/oauth/github/callback',
      access: 'open',
      async run(visit) {
        const github = client();
        if (visit.isHead) return page('Sign in with GitHub', html``);
        const trip = await ended(visit);
        if (visit.query.has('error')) {
          return redirect('/login', failed(errorText(visit)), [cookies.end(COOKIE)]);
        }
        const code = textOf(visit.query, 'code');
        if (!trip || code === '') return foreignPage();
        try {
          const person = await github.personOf(code, trip.verifier);
          if (trip.userId === null) return await signIn(await people.signInByGithub(person, visit.client), trip.next);
          await people.linkGithub(visit.session!, person.id, visit.client);
          return redirect(ACCOUNT, done('GitHub is linked: you can sign in with it.'), [cookies.end(COOKIE)]);
        } catch (error) {
          if (error instanceof Refused) return redirect(ACCOUNT, failed(error.message), [cookies.end(COOKIE)]);
          if (!(error instanceof GithubFailed)) throw error;
          log.warn({ reason: error.message }, 'GitHub has failed while somebody was signing in with it');
          return failedPage();
        }
      },
    },
  ];
}

/** What GitHub wrote is not shown: anybody can make such a link. */
const errorText = ({ query }: Visit): string =>
  query.get('error') === 'access_denied'
    ? 'Signing in with GitHub was cancelled.'
    : 'GitHub has refused. Try again, or sign in otherwise.';

const again = html`<p><a href="/login">Sign in</a></p>`;

const foreignPage = (): SiteAnswer =>
  page(
    'This sign-in cannot go on',
    html`<p>It was begun in another browser or more than ten minutes ago, or has ended already. Begin again.</p>${again}`,
    { status: 400 },
  );

const failedPage = (): SiteAnswer =>
  page(
    'GitHub does not answer',
    html`<p>GitHub has not told who you are. Nothing was changed here. Try again in a while.</p>${again}`,
    { status: 502 },
  );
