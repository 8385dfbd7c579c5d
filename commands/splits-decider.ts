import { type Decider, NEEDS_HISTORY, type StreamDecider } from '../src/domain/event-sourcing/stream-decider.ts';
import { createEvent, type EventOfKind } from '../src/domain/event-sourcing/stream-kind.ts';
import {
  type NewestObservation,
  placeByNewest,
  reconfirmNewest,
  updateNewest,
} from '../src/domain/observations/newest-observation.ts';
import {
  addReconfirmation,
  addToHistory,
  findPlacement,
  type ObservationHistory,
  type RecordedPlacement,
} from '../src/domain/observations/observation-history.ts';
import { applySplits, newSplits, type SplitsContent } from '../src/domain/odds/betting-splits.ts';
import { formatTime } from '../src/domain/primitives/time.ts';
import type { EventIdentity } from '../src/domain/streams/domain-events.ts';
import { splitsStream } from '../src/domain/streams/stream-definitions.ts';

/** The write-side state of the splits of one event (stream `splits-ID`). */
interface SplitsState {
  newest: NewestObservation | undefined;
}

/** Decides on splits older than others. */
const lateSplitsDecider: Decider<ObservationHistory<SplitsContent>, SplitsCommand, SplitsEvent> = {
  initial: () => [],
  decide: (command, state) => decideSplits(command, findPlacement(state, command)),
  evolve(state, record) {
    if (record.type === 'SplitsChanged') addToHistory(state, record.data, record.revision);
    else if (record.type === 'SplitsReconfirmed') addReconfirmation(state, record.data);
    return state;
  },
};

export const splitsDecider: StreamDecider<SplitsState, SplitsCommand, SplitsEvent> = {
  stream: splitsStream,
  initial: () => ({ newest: undefined }),
  decide(command, { newest }) {
    const placement = placeByNewest(newest, command);
    return placement.kind === 'unclear' ? NEEDS_HISTORY : decideSplits(command, placement);
  },
  evolve(state, record) {
    if (record.type === 'SplitsChanged') state.newest = updateNewest(state.newest, record.data, record.revision);
    else if (record.type === 'SplitsReconfirmed') state.newest = reconfirmNewest(state.newest, record.data);
    return state;
  },
  lastReportedAt: (_, { newest }) => newest?.at,
  history: lateSplitsDecider,
  stateVersion: 1,
};

type SplitsEvent = EventOfKind<typeof splitsStream>;

interface SplitsCommand {
  readonly identity: EventIdentity;
  readonly at: string;
  readonly source: string;
  readonly content: SplitsContent;
}

/** The events for splits that came in time, which the caller checks (`splitsCloseAt`). */
function decideSplits(
  { identity, at, source, content }: SplitsCommand,
  placement: RecordedPlacement<SplitsContent>,
): SplitsEvent[] {
  switch (placement.kind) {
    case 'known':
      return [];
    case 'repeated': {
      const data = { at, source, of: placement.of, ...identity };
      return [createEvent(splitsStream, identity.eventId, 'SplitsReconfirmed', data)];
    }
    case 'newest':
      return [createEvent(splitsStream, identity.eventId, 'SplitsChanged', { at, source, content, ...identity })];
    case 'late': {
      const late = placement.entries.reduce(
        (splits, entry) =>
          applySplits(splits, { at: formatTime(entry.at), source: entry.source, content: entry.content }),
        newSplits(),
      );
      const data = { at, source, content, late, ...identity };
      return [createEvent(splitsStream, identity.eventId, 'SplitsChanged', data)];
    }
  }
}
