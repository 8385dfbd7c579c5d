import { RefusedError } from '../../domain/primitives/domain-errors.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../domain/primitives/time.ts';
import { countedNetworksOf } from '../../platform/client-networks.ts';
import type { QuerySteps } from '../../platform/sql/query-runner.ts';
import type { RegistryContext } from './user-context.ts';

/** How many attempts of a kind are allowed within a period. */
export interface AttemptLimit {
  readonly kind: string;
  /** An HMAC of the user, address or network. */
  readonly subject: string;
  readonly max: number;
  readonly withinMs: number;
}

type Digests = Pick<RegistryContext, 'digest'>;

const SIGN_IN_MS = 15 * MINUTE;

/** A limit by address: `max` of a kind for an address, and more for the wider networks of an IPv6 address. */
const limitsByAddress = (
  { digest }: Digests,
  ip: string,
  { kind, max, withinMs, of }: Pick<AttemptLimit, 'kind' | 'max' | 'withinMs'> & { readonly of?: string },
): readonly AttemptLimit[] =>
  countedNetworksOf(ip).map(({ network, times }) => ({
    kind,
    subject: of === undefined ? digest('ip', network) : digest('address from ip', `${network} ${of}`),
    max: max * times,
    withinMs,
  }));

const KIND_OF_ADDRESS = 'sign-in of address';
const KIND_OF_ADDRESS_FROM_IP = 'sign-in of address from ip';

/** Failed sign-ins. @param address normalized, or as typed if it is not an address */
export function signInLimits(digests: Digests, address: string, ip: string): readonly AttemptLimit[] {
  const withinMs = SIGN_IN_MS;
  return [
    ...limitsByAddress(digests, ip, { kind: KIND_OF_ADDRESS_FROM_IP, max: 5, withinMs, of: address }),
    ...limitsByAddress(digests, ip, { kind: 'sign-in from ip', max: 20, withinMs }),
    { kind: KIND_OF_ADDRESS, subject: digests.digest('address', address), max: 100, withinMs },
  ];
}

/**
 * Failed sign-ins of a browser that has had a session of this user. It counts for itself: what others try must not lock
 * it out.
 */
export const knownBrowserLimit = ({ digest }: Digests, browser: string, address: string): AttemptLimit => ({
  kind: 'sign-in of known browser',
  subject: digest('browser', `${browser} ${address}`),
  max: 5,
  withinMs: SIGN_IN_MS,
});

/** Right passwords and other proofs: each costs a hash or a session. */
export const proofLimits = (digests: Digests, ip: string): readonly AttemptLimit[] =>
  limitsByAddress(digests, ip, { kind: 'proof from ip', max: 30, withinMs: SIGN_IN_MS });

type IpKind = 'register' | 'resend' | 'forgot';

export const requestLimits = (digests: Digests, kind: IpKind | 'trial', ip: string): readonly AttemptLimit[] =>
  limitsByAddress(digests, ip, { kind: `${kind} from ip`, max: 20, withinMs: HOUR });

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

/** Keys without an account behind them. */
export const ANONYMOUS_TRIAL_KIND = 'anonymous trial from ip';
export const anonymousTrialLimits = (digests: Digests, ip: string): readonly AttemptLimit[] =>
  limitsByAddress(digests, ip, { kind: ANONYMOUS_TRIAL_KIND, max: 2, withinMs: DAY });

/** Wrong codes of programs that wait for a key. */
export const userCodeLimit = ({ digest }: Digests, accountId: number): AttemptLimit => ({
  kind: 'user code of account',
  subject: digest('account', String(accountId)),
  max: 10,
  withinMs: 15 * MINUTE,
});

/** Downloads of everything that is kept of a user. */
export const exportLimit = ({ digest }: Digests, userId: number): AttemptLimit => ({
  kind: 'export of user',
  subject: digest('user', String(userId)),
  max: 10,
  withinMs: HOUR,
});

/** One download at a time. Its end is noted; after a crash the next one waits this long. */
export const runningExportLimit = ({ digest }: Digests, userId: number): AttemptLimit => ({
  kind: 'running export of user',
  subject: digest('user', String(userId)),
  max: 1,
  withinMs: 10 * MINUTE,
});

/** What anybody can cause without a key is recorded once a minute for an address, so that it does not fill the log. */
export const noteLimits = (digests: Digests, type: string, ip: string): readonly AttemptLimit[] =>
  limitsByAddress(digests, ip, { kind: `note of ${type}`, max: 1, withinMs: MINUTE });

/** The locks for these limits. Without them two attempts at once could share the last place. */
export const lockNamesOf = (limits: readonly AttemptLimit[]): readonly string[] =>
  limits.map(({ kind, subject }) => `${kind} ${subject}`);

/** Milliseconds until another attempt is allowed; 0: now. */
export function* readWait({ database, now }: RegistryContext, limits: readonly AttemptLimit[]): QuerySteps<number> {
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
export function* countAttempt({ database, now }: RegistryContext, limits: readonly AttemptLimit[]): QuerySteps<void> {
  const at = now();
  yield database.insertInto('attempts').values(limits.map(({ kind, subject }) => ({ kind, subject, at })));
}

/** Counts an attempt if it is allowed. @returns as `readWait` */
export function* countAttemptIfAllowed(context: RegistryContext, limits: readonly AttemptLimit[]): QuerySteps<number> {
  const wait = yield* readWait(context, limits);
  if (wait === 0) yield* countAttempt(context, limits);
  return wait;
}

export const tooManyAttemptsError = (waitMs: number): RefusedError =>
  new RefusedError(429, 'Too many attempts. Try again later.', { retryAfter: Math.ceil(waitMs / SECOND) });

/** Counts attempts no longer. */
export function* forgetAttempts(
  { database }: RegistryContext,
  limits: readonly Pick<AttemptLimit, 'kind' | 'subject'>[],
): QuerySteps<void> {
  for (const { kind, subject } of limits)
    yield database.deleteFrom('attempts').where('kind', '=', kind).where('subject', '=', subject);
}

/** After a proof by mail: what others have tried with the address counts no more, nor what its owner has tried here. */
export const forgetFailuresOf = (context: RegistryContext, address: string, ip: string): QuerySteps<void> =>
  forgetAttempts(
    context,
    signInLimits(context, address, ip).filter(({ kind }) => [KIND_OF_ADDRESS, KIND_OF_ADDRESS_FROM_IP].includes(kind)),
  );

/** @throws RefusedError 429 */
export async function countAttemptFromIp(context: RegistryContext, kind: IpKind, ip: string): Promise<void> {
  const limits = requestLimits(context, kind, ip);
  const wait = await context.transactShared(lockNamesOf(limits), () => countAttemptIfAllowed(context, limits));
  if (wait > 0) throw tooManyAttemptsError(wait);
}
