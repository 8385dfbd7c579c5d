import { canonicalJson, fingerprint } from '../domain/canonical.ts';
import type { FeedMessage } from '../domain/feed/messages.ts';
import { formatTime, MINUTE } from '../domain/time.ts';
import type { WaitingMessage } from '../identities/identities.ts';
import { knownAlready } from './known-already.ts';
import type { Handled, Session } from './session.ts';
import { rulesFor } from './subjects.ts';

/** What waited and is being tried is this intake's for so long: longer than any batch takes. */
export const LEASE = 5 * MINUTE;
/** So many keys are looked up at once when what waits is tried again. */
const KEYS_AT_ONCE = 1000;

/** Who tries what waits, and when. */
export interface Trying {
  /** Names this intake among those that work on the same identities. */
  readonly owner: string;
  /** Milliseconds. */
  readonly now: () => number;
}

export type Settled = (Exclude<Handled, { status: 'waits' }> | { readonly status: 'quarantined' }) & {
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
    });
  }
  if (handled.status !== 'waits') return { ...handled, isParked: !isKnown };
  return isKnown ? { status: 'unchanged' } : { status: 'quarantined', isParked: true };
}

/** Tries everything that waits for something that is known already. */
export async function resumeWaiting(session: Session, learned: string[], trying: Trying): Promise<void> {
  const { identities } = session;
  for (let after: string | null = null; ; ) {
    const keys: readonly string[] = await identities.awaitedKeys(after, KEYS_AT_ONCE);
    learned.push(...(await knownAlready(identities, keys)));
    await retryWaiting(session, learned, trying);
    if (keys.length < KEYS_AT_ONCE) return;
    after = keys.at(-1)!;
  }
}

/** Messages that waited for what is known now. They are recorded at the same time as what released them. */
export async function retryWaiting(session: Session, learned: string[], { owner, now }: Trying): Promise<void> {
  while (learned.length > 0) {
    const keys = learned.splice(0);
    const awaited = await session.identities.awaited(keys);
    for (const key of keys) {
      if (!awaited.has(key)) continue;
      session.tried.add(key);
      const taking = { owner, now: now(), until: now() + LEASE };
      for (const waiting of await session.identities.takeAwaiting(key, taking)) await retry(session, waiting);
    }
  }
}

async function retry(session: Session, waiting: WaitingMessage): Promise<void> {
  const message = waiting.message as FeedMessage;
  const handled = await rulesFor(message).handle(session, message);
  const wait = handled.status === 'waits' ? handled.wait : handled.status === 'rejected' ? undefined : handled.awaits;
  if (wait) await session.identities.park({ ...waiting, reason: wait.reason, keys: wait.keys });
}
