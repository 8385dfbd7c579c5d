import type { FeedMessage } from '../domain/feed/messages.ts';
import { normalizeName, normalizePair } from '../domain/names.ts';
import { rulesOf } from '../domain/sides.ts';
import { pairOf } from './binding.ts';
import type { Session } from './session.ts';
import type { StreamOf } from './states/stream-states.ts';
import type { Hints, NamedSides } from './subject.ts';
import { rulesFor } from './subjects.ts';

/**
 * Loads in a few queries what a batch of messages will look up one by one. Only speed hangs on it: what is not
 * foreseen is looked up when it is needed.
 */
export async function prefetchFor(session: Session, messages: readonly FeedMessage[]): Promise<void> {
  const different = [...withoutRuns(messages)];
  const hints: Hints = { events: [], entities: [], names: [], pairs: [] };
  for (const message of different) rulesFor(message).lookups.names(message, hints);
  await session.identities.prefetch(hints);

  const pairs: string[] = [];
  for (const message of different) {
    const sides = rulesFor(message).lookups.sides?.(message);
    const pair = sides && (await pairOfNames(session, sides));
    if (pair) pairs.push(pair);
  }
  await session.identities.prefetch({ events: [], entities: [], names: [], pairs });

  const streams: StreamOf[] = [];
  for (const message of different) streams.push(...(await rulesFor(message).lookups.streams(session, message)));
  await session.states.prefetch(streams);
}

/** Without those that ask for the same as the one before: the prices of one event mostly come together. */
function* withoutRuns(messages: readonly FeedMessage[]): Generator<FeedMessage> {
  let before: FeedMessage | undefined;
  for (const message of messages) {
    if (before?.kind !== message.kind || !rulesFor(message).lookups.same?.(before, message)) yield message;
    before = message;
  }
}

async function pairOfNames({ identities }: Session, { sport, names }: NamedSides): Promise<string | null> {
  const { entry, hasPairs } = rulesOf(sport);
  const keys: string[] = [];
  for (const name of names) {
    if (hasPairs && name.includes('/')) keys.push(`pair:${normalizePair(name)}`);
    else {
      const ids = await identities.findByName(entry, sport, normalizeName(name));
      if (ids.length === 1) keys.push(`${entry}:${ids[0]}`);
    }
  }
  return keys.length === 2 ? pairOf(keys[0]!, keys[1]!) : null;
}
