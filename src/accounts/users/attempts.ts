import { Refused } from '../../domain/refused-act.ts';
import { HOUR, MINUTE, SECOND } from '../../domain/time.ts';
import type { Steps } from '../../platform/sql/query-runner.ts';
import { ownerOfIp, type PeopleContext } from './people-context.ts';

/** How many of a kind may count within a time. */
export interface Limit {
  readonly kind: string;
  /** Whose they are: an HMAC. */
  readonly subject: string;
  readonly most: number;
  readonly withinMs: number;
}

type Digests = Pick<PeopleContext, 'digest'>;

/** Failed sign-ins. @param address as it is compared, or as it was typed where it is none */
export function signInLimits({ digest }: Digests, address: string, ip: string): readonly Limit[] {
  const withinMs = 15 * MINUTE;
  const from = ownerOfIp(ip);
  return [
    { kind: 'sign-in of address from ip', subject: digest('address from ip', `${from} ${address}`), most: 5, withinMs },
    { kind: 'sign-in from ip', subject: digest('ip', from), most: 20, withinMs },
    { kind: 'sign-in of address', subject: digest('address', address), most: 100, withinMs },
  ];
}

export type IpKind = 'register' | 'resend' | 'forgot';

export const ipLimit = ({ digest }: Digests, kind: IpKind, ip: string): Limit => ({
  ...{ kind: `${kind} from ip`, subject: digest('ip', ownerOfIp(ip)) },
  ...{ most: 20, withinMs: HOUR },
});

export type LimitedMail = 'verification' | 'already registered' | 'reset' | 'new address';

export const mailLimit = ({ digest }: Digests, mail: LimitedMail, address: string): Limit => ({
  ...{ kind: `mail ${mail}`, subject: digest('address', address) },
  ...{ most: 3, withinMs: HOUR },
});

/** Wrong passwords of somebody who is signed in: whoever finds an open browser must not try many. */
export const confirmLimit = ({ digest }: Digests, userId: number): Limit => ({
  ...{ kind: 'confirm of user', subject: digest('user', String(userId)) },
  ...{ most: 20, withinMs: 15 * MINUTE },
});

/** One note of throttled sign-ins is enough for a while: they must not fill the log. */
export const noteLimit = ({ digest }: Digests, ip: string): Limit => ({
  ...{ kind: 'note of throttled', subject: digest('ip', ownerOfIp(ip)) },
  ...{ most: 1, withinMs: MINUTE },
});

/** What has to be locked, so that of two at the same moment only one has the last place. */
export const locksOf = (limits: readonly Limit[]): readonly string[] =>
  limits.map(({ kind, subject }) => `${kind} ${subject}`);

/** Milliseconds until one more may come; 0: now. */
export function* waitOf({ database, now }: PeopleContext, limits: readonly Limit[]): Steps<number> {
  const at = now();
  const rows = (yield limits.map(({ kind, subject, most, withinMs }) =>
    database
      .selectFrom('attempts')
      .select('at')
      .where('kind', '=', kind)
      .where('subject', '=', subject)
      .where('at', '>', at - withinMs)
      .orderBy('at', 'desc')
      .offset(most - 1)
      .limit(1),
  )) as readonly (readonly { readonly at: number }[])[];
  return Math.max(0, ...rows.map(([row], index) => (row ? row.at + limits[index]!.withinMs - at : 0)));
}

/** Counts one for each. */
export function* countAttempt({ database, now }: PeopleContext, limits: readonly Limit[]): Steps<void> {
  const at = now();
  yield database.insertInto('attempts').values(limits.map(({ kind, subject }) => ({ kind, subject, at })));
}

/** Counts one where it may come. @returns as `waitOf` */
export function* takeAttempt(context: PeopleContext, limits: readonly Limit[]): Steps<number> {
  const wait = yield* waitOf(context, limits);
  if (wait === 0) yield* countAttempt(context, limits);
  return wait;
}

export const tooMany = (waitMs: number): Refused =>
  new Refused(429, 'Too many attempts. Try again later.', { retryAfter: Math.ceil(waitMs / SECOND) });

/** @throws Refused 429 */
export async function takeFromIp(context: PeopleContext, kind: IpKind, ip: string): Promise<void> {
  const limits = [ipLimit(context, kind, ip)];
  const wait = await context.beside(locksOf(limits), () => takeAttempt(context, limits));
  if (wait > 0) throw tooMany(wait);
}
