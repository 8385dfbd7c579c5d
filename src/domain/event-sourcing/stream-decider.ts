import type { NewRecord } from './record.ts';
import type { RecordOf, StreamKind } from './stream-kind.ts';

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

/** The state does not tell what follows from a fact: the fold of the whole stream does. */
export const NEEDS_HISTORY = Symbol('needs history');
export type Decision<Event> = readonly Event[] | typeof NEEDS_HISTORY;

/** The write side of one kind of stream: its state is the fold of one stream, and what it decides goes there. */
export interface StreamDecider<State = any, Fact = any, Event extends NewRecord = any>
  extends Omit<Decider<State, Fact, Event>, 'decide'> {
  readonly stream: StreamKind;
  /** As `Decider.decide`, or that the history decides. */
  decide(fact: Fact, state: State): Decision<Event>;
  /** When what a fact is about was last told, in milliseconds of `at`, for facts that may repeat what stands. */
  lastReportedAt?(fact: Fact, state: State): number | undefined;
  /**
   * Where the state holds the present alone, so that it does not grow with the stream: what decides on what is late.
   * Its state is the fold of the whole stream. It is asked for what needs it, and would decide the same everywhere.
   */
  readonly history?: Decider<any, Fact, Event>;
  /**
   * Version of the state's shape, and of what it is the fold of: states of another version are not read. Where there is
   * one, states are kept beside the log (`serialize` of node:v8 must take them), so that a long stream is not folded
   * anew for its next message.
   */
  readonly stateVersion?: number;
  /**
   * Its state decides what goes to other streams. No revision guards that: where others write too, it is read anew for
   * each batch.
   */
  readonly affectsOtherStreams?: true;
}
