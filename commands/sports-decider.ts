import type { StreamDecider } from '../src/domain/event-sourcing/stream-decider.ts';
import { createEvent, type EventOfKind } from '../src/domain/event-sourcing/stream-kind.ts';
import { SPORTS_STREAM_ID, sportsStream } from '../src/domain/streams/sports-stream.ts';

type SportsEvent = EventOfKind<typeof sportsStream>;

/** A sport of CONFIG has its first event. Recorded once for each, so that it plays on by its rules once it is taken out. */
export const sportsDecider: StreamDecider<Set<string>, SportsEvent['data'], SportsEvent> = {
  stream: sportsStream,
  initial: () => new Set(),
  decide: (command, sports) =>
    sports.has(command.sport) ? [] : [createEvent(sportsStream, SPORTS_STREAM_ID, 'SportAdded', command)],
  evolve: (sports, { data }) => sports.add(data.sport),
};
