import type { FeedMessage } from '../../domain/feed/feed-messages.ts';
import { canonicalJson, fingerprint } from '../../domain/primitives/canonical-json.ts';
import { formatTime, MINUTE } from '../../domain/primitives/time.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import type { HandlingResult, IngestSession } from '../binding/ingest-session.ts';
import type { Identities, QuarantinedMessage } from '../identities/identities.ts';
import { type IdentityKey, parseIdentityKey } from '../identities/identity-key.ts';
import { describeMissing } from '../identities/quarantine-counts.ts';
import type { QuarantineReason } from '../intake/intake.ts';
import { messageRulesFor } from '../subjects/subjects.ts';

/** How long a claimed message belongs to this intake: longer than any batch takes. */
export const CLAIM_LEASE_MS = 5 * MINUTE;
/**
 * Maximum quarantined messages that one batch retries. The others follow in later batches: writing a batch blocks the
 * event loop.
 */
export const MAX_RETRIED_PER_BATCH = 100;
/** Keys per query when quarantined messages are retried. */
const KEYS_AT_ONCE = 1000;

/** The intake that retries quarantined messages, and its clock. */
export interface QuarantineClaimant {
  /** The name of this intake among all that share the identities. */
  readonly owner: string;
  /** Milliseconds. */
  readonly now: () => number;
}

export type SettledMessage = (
  | Exclude<HandlingResult, { status: 'waits' }>
  | { readonly status: 'quarantined'; readonly waits: QuarantineReason }
) & {
  /** The message was put into quarantine just now. */
  readonly isParked?: boolean;
};

/** Handles a message. If it names something unknown, it is quarantined until that is known. */
export async function handleOrQuarantine(
  session: IngestSession,
  message: FeedMessage,
  now: () => number,
): Promise<SettledMessage> {
  const handled = await messageRulesFor(message).handle(session, message);
  if (handled.status === 'rejected') return handled;
  const wait = handled.status === 'waits' ? handled.wait : handled.awaits;
  if (!wait) return handled as SettledMessage;
  for (const key of wait.keys) session.triedKeys.add(key);
  const id = fingerprint(canonicalJson(message));
  const isKnown = (await session.identities.findQuarantined([id])).has(id);
  if (!isKnown) {
    await session.identities.quarantine({
      fingerprint: id,
      message,
      reason: wait.reason,
      keys: wait.keys,
      receivedAt: formatTime(now()),
      accepted: handled.status !== 'waits',
      ...(session.states.throttleMs === 0 ? {} : { sparing: session.states.throttleMs }),
    });
  }
  if (handled.status !== 'waits') return { ...handled, isParked: !isKnown };
  if (isKnown) return { status: 'unchanged' };
  const waits = { source: message.source, waitsFor: describeMissing(wait.keys), reason: wait.reason };
  return { status: 'quarantined', waits, isParked: true };
}

/** Retries all messages whose key may have become known without a retry. */
export async function retryUntriedKeys(
  session: IngestSession,
  learned: string[],
  trying: QuarantineClaimant,
): Promise<void> {
  for (let after: string | null = null; ; ) {
    const next = await retryUntriedPage(session, learned, trying, after);
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
  learned: string[],
  trying: QuarantineClaimant,
  after: string | null,
): Promise<string | undefined> {
  const { identities } = session;
  const keys = await identities.listUntriedKeys(after, KEYS_AT_ONCE);
  learned.push(...(await findKnownKeys(identities, keys)));
  await retryQuarantined(session, learned, trying);
  return keys.length < KEYS_AT_ONCE ? undefined : keys.at(-1)!;
}

/**
 * Retries the messages that wait for keys that are known now. Their records get the same time as the message that
 * released them. Yields to the event loop between two messages: thousands may wait for one schedule.
 */
export async function retryQuarantined(
  session: IngestSession,
  learned: string[],
  { owner, now }: QuarantineClaimant,
): Promise<void> {
  const { retryBudget } = session;
  while (learned.length > 0) {
    const keys = learned.splice(0);
    const awaited = await session.identities.findQuarantineKeys(keys);
    for (const key of keys) {
      if (!awaited.has(key)) continue;
      session.triedKeys.add(key);
      // At least one: a claim on a key makes the key untried again after a crash.
      const most = Math.max(1, retryBudget.messages);
      const taking = { owner, now: now(), until: now() + CLAIM_LEASE_MS, most };
      const taken = await session.identities.claimQuarantined(key, taking);
      retryBudget.messages -= taken.length;
      if (taken.length >= most) retryBudget.left.add(key);
      for (const waiting of taken) {
        await retry(session, waiting);
        await yieldToEventLoop();
      }
    }
  }
}

async function retry(session: IngestSession, waiting: QuarantinedMessage): Promise<void> {
  const message = waiting.message as FeedMessage;
  // An accepted message is in the log already. For another one, the sender did not know that it was in quarantine and
  // has sent it again meanwhile.
  const sparing = waiting.accepted ? {} : { ...waiting, isForgetful: true };
  const handled = await session.states.withThrottle(sparing, () => messageRulesFor(message).handle(session, message));
  const wait = handled.status === 'waits' ? handled.wait : handled.status === 'rejected' ? undefined : handled.awaits;
  if (!wait) return;
  const accepted = waiting.accepted || handled.status !== 'waits';
  await session.identities.quarantine({ ...waiting, reason: wait.reason, keys: wait.keys, accepted });
}

/**
 * The keys that are known now. After a crash between the identities and the log, or between the log and the quarantine,
 * a key may be known without a retry.
 */
async function findKnownKeys(identities: Identities, keys: readonly string[]): Promise<string[]> {
  const parsed = new Map(keys.map((text) => [text, parseIdentityKey(text)]));
  const all = [...parsed.values()];
  await identities.prefetch({
    events: all.flatMap((key) => (key?.what === 'event' ? [key] : [])),
    entities: all.flatMap((key) => (key?.what === 'ref' ? [key] : [])),
    names: all.flatMap((key) => (key?.what === 'name' ? [key] : [])),
    pairs: all.flatMap((key) => (key?.what === 'pair' ? [key.pair] : [])),
  });
  const found: string[] = [];
  for (const [text, key] of parsed) if (key && (await isKnown(identities, key))) found.push(text);
  return found;
}

async function isKnown(identities: Identities, key: IdentityKey): Promise<boolean> {
  switch (key.what) {
    case 'event':
      return (await identities.findEvent(key.source, key.ref)) !== undefined;
    case 'ref':
      return (await identities.findEntity(key.kind, key.scope, key.source, key.ref)) !== undefined;
    case 'name':
      return (await identities.findByName(key.kind, key.scope, key.name)).length > 0;
    case 'pair':
      return (await identities.findFixtures(key.pair)).length > 0;
  }
}
