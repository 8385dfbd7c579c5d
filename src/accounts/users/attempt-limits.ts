import { RefusedError } from '../../domain/primitives/domain-errors.ts';
import { HOUR, MINUTE, SECOND } from '../../domain/primitives/time.ts';
import type { QuerySteps } from '../../platform/sql/query-runner.ts';
import { clientNetworkOf, type UserContext } from './user-context.ts';

/** How many attempts of a kind are allowed within a period. */
interface AttemptLimit {
  readonly kind: string;
  /** An HMAC of the user, address or network. */
  readonly subject: string;
  readonly max: number;
  readonly withinMs: number;
}

type Digests = Pick<UserContext, 'digest'>;

/** Failed sign-ins. @param address normalized, or as typed if it is not an address */
export function signInLimits({ digest }: Digests, address: string, ip: string): readonly AttemptLimit[] {
  const withinMs = 15 * MINUTE;
  const from = clientNetworkOf(ip);
  return [
    { kind: 'sign-in of address from ip', subject: digest('address from ip', `${from} ${address}`), max: 5, withinMs },
    { kind: 'sign-in from ip', subject: digest('ip', from), max: 20, withinMs },
    { kind: 'sign-in of address', subject: digest('address', address), max: 100, withinMs },
  ];
}

type IpKind = 'register' | 'resend' | 'forgot';

const ipLimit = ({ digest }: Digests, kind: IpKind, ip: string): AttemptLimit => ({
  kind: `${kind} from ip`,
  subject: digest('ip', clientNetworkOf(ip)),
  max: 20,
  withinMs: HOUR,
});

export type LimitedMail = 'verification' | 'already registered' | 'reset' | 'new address' | 'refused github';

export const mailLimit = ({ digest }: Digests, mail: LimitedMail, address: string): AttemptLimit => ({
  kind: `mail ${mail}`,
  subject: digest('address', address),
  max: 3,
  withinMs: HOUR,
});

/** Wrong passwords of a signed-in user: a person who finds an open browser must not try many. */
export const confirmLimit = ({ digest }: Digests, userId: number): AttemptLimit => ({
  kind: 'confirm of user',
  subject: digest('user', String(userId)),
  max: 20,
  withinMs: 15 * MINUTE,
});

/** Wrong passwords at the link of a registration. */
export const registrationLimit = ({ digest }: Digests, registrationId: number): AttemptLimit => ({
  kind: 'password of registration',
  subject: digest('user', `registration ${registrationId}`),
  max: 20,
  withinMs: 15 * MINUTE,
});

/** Throttled sign-ins are recorded once a minute, so that they do not fill the log. */
export const throttleNoteLimit = ({ digest }: Digests, ip: string): AttemptLimit => ({
  kind: 'note of throttled',
  subject: digest('ip', clientNetworkOf(ip)),
  max: 1,
  withinMs: MINUTE,
});

/** The locks for these limits. Without them two attempts at once could share the last place. */
export const lockNamesOf = (limits: readonly AttemptLimit[]): readonly string[] =>
  limits.map(({ kind, subject }) => `${kind} ${subject}`);

/** Milliseconds until another attempt is allowed; 0: now. */
export function* readWait({ database, now }: UserContext, limits: readonly AttemptLimit[]): QuerySteps<number> {
  const at = now();
  const rows = (yield limits.map(({ kind, subject, max, withinMs }) =>
    database
      .selectFrom('attempts')
      .select('at')
      .where('kind', '=', kind)
      .where('subject', '=', subject)
      .where('at', '>', at - withinMs)
      .orderBy('at', 'desc')
      .offset(max - 1)
      .limit(1),
  )) as readonly (readonly { readonly at: number }[])[];
  return Math.max(0, ...rows.map(([row], index) => (row ? row.at + limits[index]!.withinMs - at : 0)));
}

/** Counts an attempt for each limit. */
export function* countAttempt({ database, now }: UserContext, limits: readonly AttemptLimit[]): QuerySteps<void> {
  const at = now();
  yield database.insertInto('attempts').values(limits.map(({ kind, subject }) => ({ kind, subject, at })));
}

/** Counts an attempt if it is allowed. @returns as `readWait` */
export function* countAttemptIfAllowed(context: UserContext, limits: readonly AttemptLimit[]): QuerySteps<number> {
  const wait = yield* readWait(context, limits);
  if (wait === 0) yield* countAttempt(context, limits);
  return wait;
}

export const tooManyAttemptsError = (waitMs: number): RefusedError =>
  new RefusedError(429, 'Too many attempts. Try again later.', { retryAfter: Math.ceil(waitMs / SECOND) });

/** @throws RefusedError 429 */
export async function countAttemptFromIp(context: UserContext, kind: IpKind, ip: string): Promise<void> {
  const limits = [ipLimit(context, kind, ip)];
  const wait = await context.transactShared(lockNamesOf(limits), () => countAttemptIfAllowed(context, limits));
  if (wait > 0) throw tooManyAttemptsError(wait);
}
