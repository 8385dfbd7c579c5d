import type { NewRecord } from './record.ts';
import type { RecordOf, StreamKind } from './stream-kind.ts';

/** The write side of one subject. Pure: the same command and state always give the same events. */
export interface Decider<State, Command, Event extends NewRecord = NewRecord> {
  /** The empty state. Returns a new object each time: `evolve` may change it. */
  initial(): State;
  /** The events that follow from a command; none if nothing is new. Must not change the state. */
  decide(command: Command, state: State): readonly Event[];
  /** Applies a record to the state. May change and return the state that it gets. */
  evolve(state: State, record: RecordOf<Event>): State;
}

/** The state is not enough to decide: the whole history is needed. */
export const NEEDS_HISTORY = Symbol('needs history');
export type Decision<Event> = readonly Event[] | typeof NEEDS_HISTORY;

/** The write side of one kind of stream. The state is the fold of one stream, and the events go to the same stream. */
export interface StreamDecider<State = any, Command = any, Event extends NewRecord = any>
  extends Omit<Decider<State, Command, Event>, 'decide'> {
  readonly stream: StreamKind;
  /** As `Decider.decide`, or `NEEDS_HISTORY`. */
  decide(command: Command, state: State): Decision<Event>;
  /**
   * The time of the last report on the subject of a command, in milliseconds of `at`, for commands that may repeat the
   * current content.
   */
  lastReportedAt?(command: Command, state: State): number | undefined;
  /**
   * A decider for late reports, for streams whose state holds only the present so that it does not grow. Its state is
   * the fold of the whole stream. It is used after `NEEDS_HISTORY`, but would decide every command in the same way.
   */
  readonly history?: Decider<any, Command, Event>;
  /**
   * Version of the state's shape and meaning; a stored state of another version is not read. With a version, states are
   * stored beside the log (as `serialize` of node:v8), so that a long stream is not folded again for the next message.
   */
  readonly stateVersion?: number;
  /**
   * The state decides on events in other streams, which no revision check protects. If there are other writers, the
   * state is read again for each batch.
   */
  readonly affectsOtherStreams?: true;
}
