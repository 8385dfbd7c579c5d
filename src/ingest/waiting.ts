import { canonicalJson, fingerprint } from '../domain/canonical.ts';
import type { FeedMessage } from '../domain/feed/messages.ts';
import { formatTime, MINUTE } from '../domain/time.ts';
import { breathe } from '../platform/time/breathe.ts';
import type { WaitingMessage } from './identities/identities.ts';
import { waitsFor } from './identities/waiting-numbers.ts';
import type { Waits } from './intake.ts';
import { knownAlready } from './known-already.ts';
import type { Handled, Session } from './session.ts';
import { rulesFor } from './subjects.ts';

/** What waited and is being tried is this intake's for so long: longer than any batch takes. */
export const LEASE = 5 * MINUTE;
/** So many that waited are taken up by one batch, and the others by batches behind it: each holds the event loop while it
 *  is written. */
export const TAKEN_AT_ONCE = 100;
/** So many keys are looked up at once when what waits is tried again. */
const KEYS_AT_ONCE = 1000;

/** Who tries what waits, and when. */
export interface Trying {
  /** Names this intake among those that work on the same identities. */
  readonly owner: string;
  /** Milliseconds. */
  readonly now: () => number;
}

export type Settled = (
  | Exclude<Handled, { status: 'waits' }>
  | { readonly status: 'quarantined'; readonly waits: Waits }
) & {
  /** It waits for something since now. */
  readonly isParked?: boolean;
};

/** Handles a message; one that names something unknown is kept until that is known. */
export async function handleOrPark(session: Session, message: FeedMessage, now: () => number): Promise<Settled> {
  const handled = await rulesFor(message).handle(session, message);
  if (handled.status === 'rejected') return handled;
  const wait = handled.status === 'waits' ? handled.wait : handled.awaits;
  if (!wait) return handled as Settled;
  for (const key of wait.keys) session.tried.add(key);
  const id = fingerprint(canonicalJson(message));
  const isKnown = (await session.identities.isWaiting([id])).has(id);
  if (!isKnown) {
    await session.identities.park({
      fingerprint: id,
      message,
      reason: wait.reason,
      keys: wait.keys,
      receivedAt: formatTime(now()),
      accepted: handled.status !== 'waits',
      ...(session.states.sparing === 0 ? {} : { sparing: session.states.sparing }),
    });
  }
  if (handled.status !== 'waits') return { ...handled, isParked: !isKnown };
  if (isKnown) return { status: 'unchanged' };
  const waits = { source: message.source, waitsFor: waitsFor(wait.keys), reason: wait.reason };
  return { status: 'quarantined', waits, isParked: true };
}

/** Tries everything that waits for something that may have become known without anybody having tried it. */
export async function resumeWaiting(session: Session, learned: string[], trying: Trying): Promise<void> {
  for (let after: string | null = null; ; ) {
    const next = await resumePage(session, learned, trying, after);
    if (next === undefined) return;
    after = next;
  }
}

/** The same for some of the keys. @returns behind which key the others are; undefined: there are none */
export async function resumePage(
  session: Session,
  learned: string[],
  trying: Trying,
  after: string | null,
): Promise<string | undefined> {
  const { identities } = session;
  const keys = await identities.untriedKeys(after, KEYS_AT_ONCE);
  learned.push(...(await knownAlready(identities, keys)));
  await retryWaiting(session, learned, trying);
  return keys.length < KEYS_AT_ONCE ? undefined : keys.at(-1)!;
}

/**
 * Messages that waited for what is known now. They are recorded at the same time as what released them. Between them
 * requests are served: thousands may have waited for one schedule.
 */
export async function retryWaiting(session: Session, learned: string[], { owner, now }: Trying): Promise<void> {
  const { room } = session;
  while (learned.length > 0) {
    const keys = learned.splice(0);
    const awaited = await session.identities.awaited(keys);
    for (const key of keys) {
      if (!awaited.has(key)) continue;
      session.tried.add(key);
      // One at least: what is taken of a key has it tried again after a crash.
      const most = Math.max(1, room.messages);
      const taking = { owner, now: now(), until: now() + LEASE, most };
      const taken = await session.identities.takeAwaiting(key, taking);
      room.messages -= taken.length;
      if (taken.length >= most) room.left.add(key);
      for (const waiting of taken) {
        await retry(session, waiting);
        await breathe();
      }
    }
  }
}

async function retry(session: Session, waiting: WaitingMessage): Promise<void> {
  const message = waiting.message as FeedMessage;
  // What was accepted stands in the log already. Whoever forgot that the other waits has sent it again meanwhile.
  const sparing = waiting.accepted ? {} : { ...waiting, isForgetful: true };
  const handled = await session.states.whileSparing(sparing, () => rulesFor(message).handle(session, message));
  const wait = handled.status === 'waits' ? handled.wait : handled.status === 'rejected' ? undefined : handled.awaits;
  if (!wait) return;
  const accepted = waiting.accepted || handled.status !== 'waits';
  await session.identities.park({ ...waiting, reason: wait.reason, keys: wait.keys, accepted });
}
