import { type Decider, NEEDS_HISTORY, type StreamDecider } from '../../src/domain/decider.ts';
import { addRepetition, addToHistory, type History, placeIn } from '../../src/domain/history.ts';
import { type Newest, newestAfter, newestRepeated, placeAfter } from '../../src/domain/newest.ts';
import type { SplitsContent } from '../../src/domain/splits.ts';
import { splitsStream } from '../../src/domain/streams/splits-stream.ts';
import { type SplitsEvent, type SplitsFact, splitsTold } from './splits-told.ts';

/** What the write side knows of the splits of one event (stream `splits-ID`). */
export interface SplitsState {
  newest: Newest | undefined;
}

/** Decides on splits that are older than others. */
const splitsHistory: Decider<History<SplitsContent>, SplitsFact, SplitsEvent> = {
  initial: () => [],
  decide: (fact, state) => splitsTold(fact, placeIn(state, fact)),
  evolve(state, record) {
    if (record.type === 'SplitsChanged') addToHistory(state, record.data, record.revision);
    else if (record.type === 'SplitsReconfirmed') addRepetition(state, record.data);
    return state;
  },
};

export const splitsDecider: StreamDecider<SplitsState, SplitsFact, SplitsEvent> = {
  stream: splitsStream,
  initial: () => ({ newest: undefined }),
  decide(fact, { newest }) {
    const place = placeAfter(newest, fact);
    return place.kind === 'unclear' ? NEEDS_HISTORY : splitsTold(fact, place);
  },
  evolve(state, record) {
    if (record.type === 'SplitsChanged') state.newest = newestAfter(state.newest, record.data, record.revision);
    else if (record.type === 'SplitsReconfirmed') state.newest = newestRepeated(state.newest, record.data);
    return state;
  },
  lastSaid: (_, { newest }) => newest?.at,
  history: splitsHistory,
  stateVersion: 1,
};
