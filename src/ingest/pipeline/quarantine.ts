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

/** What waited and is being tried is this intake's for so long: longer than any batch takes. */
export const CLAIM_LEASE_MS = 5 * MINUTE;
/** So many that waited are taken up by one batch, and the others by batches behind it: each holds the event loop while it
 *  is written. */
export const MAX_RETRIED_PER_BATCH = 100;
/** So many keys are looked up at once when what waits is tried again. */
const KEYS_AT_ONCE = 1000;

/** Who tries what waits, and when. */
export interface QuarantineClaimant {
  /** Names this intake among those that work on the same identities. */
  readonly owner: string;
  /** Milliseconds. */
  readonly now: () => number;
}

export type SettledMessage = (
  | Exclude<HandlingResult, { status: 'waits' }>
  | { readonly status: 'quarantined'; readonly waits: QuarantineReason }
) & {
  /** It waits for something since now. */
  readonly isParked?: boolean;
};

/** Handles a message; one that names something unknown is kept until that is known. */
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

/** Tries everything that waits for something that may have become known without anybody having tried it. */
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

/** The same for some of the keys. @returns behind which key the others are; undefined: there are none */
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
 * Messages that waited for what is known now. They are recorded at the same time as what released them. Between them
 * requests are served: thousands may have waited for one schedule.
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
      // One at least: what is taken of a key has it tried again after a crash.
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
  // What was accepted stands in the log already. Whoever forgot that the other waits has sent it again meanwhile.
  const sparing = waiting.accepted ? {} : { ...waiting, isForgetful: true };
  const handled = await session.states.withThrottle(sparing, () => messageRulesFor(message).handle(session, message));
  const wait = handled.status === 'waits' ? handled.wait : handled.status === 'rejected' ? undefined : handled.awaits;
  if (!wait) return;
  const accepted = waiting.accepted || handled.status !== 'waits';
  await session.identities.quarantine({ ...waiting, reason: wait.reason, keys: wait.keys, accepted });
}

/**
 * Of these keys those that are known by now. After a crash between the registry and the log, or between the log and
 * the waiting messages, something may be known that nobody was told of.
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
