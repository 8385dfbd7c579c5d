import type { NewRecord } from './record.ts';
import type { RecordOf, StreamKind } from './streams/stream-kind.ts';

/**
 * The write side of one subject. Pure: whatever it is asked, the same state and the same fact give the same events.
 */
export interface Decider<State, Fact, Event extends NewRecord = NewRecord> {
  /** The state of what nothing is known of yet. A new one each time: `evolve` may change it. */
  initial(): State;
  /** What follows from a fact: nothing, where it is known. Leaves the state as it is. */
  decide(fact: Fact, state: State): readonly Event[];
  /** Folds a record onto the state. May change the state that it is given, and returns it. */
  evolve(state: State, record: RecordOf<Event>): State;
}

/** The write side of one kind of stream: its state is the fold of one stream, and what it decides goes there. */
export interface StreamDecider<State = any, Fact = any, Event extends NewRecord = any>
  extends Decider<State, Fact, Event> {
  readonly stream: StreamKind;
}
