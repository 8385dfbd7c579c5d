import { rulesOf } from '../../domain/catalogue/sport-rules.ts';
import type { FeedMessage } from '../../domain/feed/feed-messages.ts';
import { normalizeName, normalizePair } from '../../domain/primitives/name-normalization.ts';
import { pairKeyOf } from '../binding/event-binding.ts';
import type { IngestSession } from '../binding/ingest-session.ts';
import type { DeciderStream } from '../states/stream-states.ts';
import type { CollectedHints, NamedSides } from '../subjects/subject.ts';
import { messageRulesFor } from '../subjects/subjects.ts';

/**
 * Loads in a few queries what the messages of a batch look up one by one. It only saves time: a lookup that is missing
 * here is made when it is needed.
 */
export async function prefetchLookups(session: IngestSession, messages: readonly FeedMessage[]): Promise<void> {
  const different = [...withoutRuns(messages)];
  const hints: CollectedHints = { events: [], entities: [], names: [], pairs: [] };
  for (const message of different) messageRulesFor(message).lookups.addHints(message, hints);
  await session.identities.prefetch(hints);

  const pairs: string[] = [];
  for (const message of different) {
    const sides = messageRulesFor(message).lookups.sidesOf?.(message);
    const pair = sides && (await pairKeyOfNames(session, sides));
    if (pair) pairs.push(pair);
  }
  await session.identities.prefetch({ events: [], entities: [], names: [], pairs });

  const streams: DeciderStream[] = [];
  for (const message of different)
    streams.push(...(await messageRulesFor(message).lookups.streamsOf(session, message)));
  await session.states.prefetch(streams);
}

/** Skips a message with the same lookups as the message before: prices of one event mostly come together. */
function* withoutRuns(messages: readonly FeedMessage[]): Generator<FeedMessage> {
  let before: FeedMessage | undefined;
  for (const message of messages) {
    if (before?.kind !== message.kind || !messageRulesFor(message).lookups.isSameLookup?.(before, message))
      yield message;
    before = message;
  }
}

async function pairKeyOfNames({ identities }: IngestSession, { sport, names }: NamedSides): Promise<string | null> {
  const { entry, hasPairs } = rulesOf(sport);
  const keys: string[] = [];
  for (const name of names) {
    if (hasPairs && name.includes('/')) keys.push(`pair:${normalizePair(name)}`);
    else {
      const ids = await identities.findByName(entry, sport, normalizeName(name));
      if (ids.length === 1) keys.push(`${entry}:${ids[0]}`);
    }
  }
  return keys.length === 2 ? pairKeyOf(keys[0]!, keys[1]!) : null;
}
