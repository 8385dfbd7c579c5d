import { contractsDecider } from '../../../commands/contracts-decider.ts';
import { actOf, findDismissal, type IdentityState, identityDecider } from '../../../commands/identity-decider.ts';
import { contractKey, isProved } from '../../domain/contracts/contract-proof.ts';
import type { FeedMessage } from '../../domain/feed/feed-messages.ts';
import { canonicalJson, fingerprint } from '../../domain/primitives/canonical-json.ts';
import { formatTime, SECOND } from '../../domain/primitives/time.ts';
import { IDENTITY_STREAM_ID } from '../../domain/streams/identity-stream.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import type { HandlingResult, IngestSession } from '../binding/ingest-session.ts';
import type { QuarantinedMessage } from '../identities/identities.ts';
import { type IdentityKey, parseIdentityKey } from '../identities/identity-key.ts';
import { describeMissing } from '../identities/quarantine-counts.ts';
import { dismissedKey, groupIdOf, isDismissed, parseGroupId } from '../identities/waiting-groups.ts';
import type { QuarantineReason } from '../intake/intake.ts';
import { handleMessage } from '../subjects/subjects.ts';
import { findQuarantineRefusal, type QuarantineBound } from './quarantine-bound.ts';

/**
 * How long a claimed message belongs to this intake: longer than a batch takes. One that takes longer loses its claims,
 * which is found when it confirms them, and nothing is lost by it.
 */
export const CLAIM_LEASE_MS = 30 * SECOND;
/**
 * Maximum quarantined messages that one batch retries. The others follow in later batches: writing a batch blocks the
 * event loop, each of them for a quarter of a millisecond.
 */
export const MAX_RETRIED_PER_BATCH = 40;
/** Keys per query when quarantined messages are retried. */
export const KEYS_AT_ONCE = 1000;

/** The intake that retries quarantined messages, and its clock. */
export interface QuarantineClaimant {
  /** The name of this intake among all that share the identities. */
  readonly owner: string;
  /** Milliseconds. */
  readonly now: () => number;
}

export type SettledMessage = (
  | Exclude<HandlingResult, { status: 'quarantined' }>
  | { readonly status: 'quarantined'; readonly waits: QuarantineReason }
) & {
  /** The message was put into quarantine just now. */
  readonly isNewlyQuarantined?: boolean;
};

/**
 * Handles a message. If it names something unknown, it is quarantined until that is known. One that is recorded without
 * a detail, as an injury of an unknown player is, is quarantined too: its retry completes what was recorded.
 */
export async function handleOrQuarantine(
  session: IngestSession,
  message: FeedMessage,
  { now, bound }: { readonly now: () => number; readonly bound: QuarantineBound },
): Promise<SettledMessage> {
  const result = await handleMessage(session, message);
  if (result.status === 'rejected') return result;
  const cause = result.status === 'quarantined' ? result.cause : result.quarantineCause;
  if (!cause) return result as SettledMessage;
  for (const key of cause.keys) session.triedKeys.add(key);
  const id = fingerprint(canonicalJson(message));
  const isKnown = (await session.identities.findQuarantined([id])).has(id);
  // What is in the log already was acknowledged, so its rest is always kept.
  if (!isKnown && result.status === 'quarantined') {
    const rejection = await findQuarantineRefusal(session.identities, bound, message, describeMissing(cause.keys));
    if (rejection) return { status: 'rejected', rejection };
  }
  if (!isKnown) {
    await session.identities.quarantine({
      fingerprint: id,
      message,
      reason: cause.reason,
      code: cause.code,
      candidates: cause.candidates ?? [],
      keys: cause.keys,
      receivedAt: formatTime(now()),
      accepted: result.status !== 'quarantined',
      ...(session.states.throttleMs === 0 ? {} : { throttleMs: session.states.throttleMs }),
    });
  }
  if (result.status !== 'quarantined') return { ...result, isNewlyQuarantined: !isKnown };
  if (isKnown) return { status: 'unchanged' };
  const waits = {
    source: message.source,
    waitsFor: describeMissing(cause.keys),
    reason: cause.reason,
    code: cause.code,
  };
  return { status: 'quarantined', waits, isNewlyQuarantined: true };
}

/** Retries all messages whose key may have become known without a retry. */
export async function retryUntriedKeys(
  session: IngestSession,
  knownKeys: string[],
  claimant: QuarantineClaimant,
): Promise<void> {
  for (let after: string | null = null; ; ) {
    const next = await retryUntriedPage(session, knownKeys, claimant, after);
    if (next === undefined) return;
    after = next;
  }
}

/**
 * Retries one page of such keys.
 * @returns the key after which the next page begins; undefined if there is none
 */
export async function retryUntriedPage(
  session: IngestSession,
  knownKeys: string[],
  claimant: QuarantineClaimant,
  after: string | null,
): Promise<string | undefined> {
  const { identities } = session;
  const keys = await identities.listUntriedKeys(after, KEYS_AT_ONCE);
  knownKeys.push(...(await findKnownKeys(session, keys)));
  await retryQuarantined(session, knownKeys, claimant);
  return keys.length < KEYS_AT_ONCE ? undefined : keys.at(-1)!;
}

/**
 * Retries the messages that wait for keys that are known now. Their records get the same time as the message that
 * released them. Yields to the event loop between two messages: thousands may wait for one schedule.
 */
export async function retryQuarantined(
  session: IngestSession,
  knownKeys: string[],
  { owner, now }: QuarantineClaimant,
): Promise<void> {
  const { retryBudget } = session;
  while (knownKeys.length > 0) {
    const keys = knownKeys.splice(0);
    const keysWithMessages = await session.identities.findQuarantineKeys(keys);
    for (const key of keys) {
      if (!keysWithMessages.has(key)) continue;
      session.triedKeys.add(key);
      // At least one: a claim on a key makes the key untried again after a crash.
      const limit = Math.max(1, retryBudget.messages);
      const claim = { owner, now: now(), until: now() + CLAIM_LEASE_MS, limit, after: retryBudget.places.get(key) };
      const { messages, next } = await session.identities.claimQuarantined(key, claim);
      retryBudget.messages -= messages.length;
      if (next === undefined) retryBudget.left.delete(key);
      else retryBudget.left.set(key, next);
      for (const quarantined of messages) {
        await retry(session, quarantined);
        await yieldToEventLoop();
      }
    }
  }
}

async function retry(session: IngestSession, quarantined: QuarantinedMessage): Promise<void> {
  const message = quarantined.message as FeedMessage;
  const state = await identityStateOf(session);
  const group = waitingGroupOf(state, quarantined);
  const dismissal = group && findDismissal(state, group.id, quarantined.receivedAt);
  if (dismissal !== undefined) {
    await session.identities.quarantine({ ...quarantined, keys: [dismissedKey(dismissal)] });
    return;
  }
  // An accepted message is in the log already. For another one, the sender did not know that it was in quarantine and
  // has sent it again meanwhile.
  const throttle = quarantined.accepted ? {} : { ...quarantined, senderForgets: true };
  const result = await session.states.withThrottle(throttle, () => handleMessage(session, message));
  if (result.status === 'rejected') {
    // Its sender was told that it waits, and hears of no refusal: a person sees it among what waits.
    const keys = isDismissed(quarantined.keys) && group ? [group.key] : quarantined.keys;
    const { message: reason } = result.rejection;
    await session.identities.quarantine({ ...quarantined, reason, code: 'refused', candidates: [], keys });
    return;
  }
  const cause = result.status === 'quarantined' ? result.cause : result.quarantineCause;
  if (!cause) return;
  const accepted = quarantined.accepted || result.status !== 'quarantined';
  const { reason, code, candidates = [], keys } = cause;
  await session.identities.quarantine({ ...quarantined, reason, code, candidates, keys, accepted });
}

const identityStateOf = ({ states }: IngestSession): Promise<IdentityState> =>
  states.get(identityDecider, IDENTITY_STREAM_ID);

/** The group of a message, also of one that was dismissed: it may wait again, or for the end of another dismissal. */
function waitingGroupOf(state: IdentityState, { message, keys }: QuarantinedMessage) {
  const [dismissed] = keys.map(parseIdentityKey);
  const id = dismissed?.what === 'dismissed' ? groupOfAct(state, dismissed.act, message) : groupIdOf({ message, keys });
  const key = id === undefined ? undefined : parseGroupId(id)?.key;
  return id === undefined || key === undefined ? undefined : { id, key };
}

/** An act has a group for each sport in which the source has the ref. */
function groupOfAct(state: IdentityState, act: number, message: unknown): string | undefined {
  const content = actOf(state, act)?.content;
  if (content?.action !== 'dismiss') return undefined;
  const { sport } = message as { readonly sport?: unknown };
  const isOfSport = (group: string) => {
    const key = parseIdentityKey(parseGroupId(group)?.key ?? '');
    return key?.what === 'ref' && key.scope === sport;
  };
  return content.groups.length === 1 ? content.groups[0] : content.groups.find(isOfSport);
}

/**
 * The keys that are known now. After a crash between the identities and the log, or between the log and the quarantine,
 * a key may be known without a retry.
 */
async function findKnownKeys(session: IngestSession, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const { identities } = session;
  const state = await identityStateOf(session);
  const dismissed = new Set([...state.dismissals.keys()].map((group) => parseGroupId(group)?.key));
  const parsed = new Map(keys.map((text) => [text, parseIdentityKey(text)]));
  const all = [...parsed.values()];
  await identities.prefetch({
    events: all.flatMap((key) => (key?.what === 'event' ? [key] : [])),
    entities: all.flatMap((key) => (key?.what === 'ref' ? [key] : [])),
    names: all.flatMap((key) => (key?.what === 'name' ? [key] : [])),
    pairs: all.flatMap((key) => (key?.what === 'pair' ? [key.pair] : [])),
  });
  const found: string[] = [];
  for (const [text, key] of parsed) {
    if (key && (dismissed.has(text) || (await isKnown(session, key, state)))) found.push(text);
  }
  return found;
}

async function isKnown(
  { identities, states }: IngestSession,
  key: IdentityKey,
  state: IdentityState,
): Promise<boolean> {
  switch (key.what) {
    case 'event':
      return (await identities.findEvent(key.source, key.ref)) !== undefined;
    case 'ref':
      return (await identities.findEntity(key.kind, key.scope, key.source, key.ref)) !== undefined;
    case 'name':
      return (await identities.findByName(key.kind, key.scope, key.name)).length > 0;
    case 'pair':
      return (await identities.findFixtures(key.pair)).length > 0;
    case 'contract':
      return isProved(await states.get(contractsDecider, key.leagueId), contractKey(key.venue, key.contract));
    case 'dismissed':
      return actOf(state, key.act)?.undoneBy !== null;
  }
}
