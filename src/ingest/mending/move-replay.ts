import type { Position } from '../../domain/event-sourcing/position.ts';
import type { DomainRecord } from '../../domain/streams/domain-events.ts';
import type { StreamReplacement } from '../../domain/streams/identity-stream.ts';
import type { ReplayedMessage } from '../subjects/subject.ts';

/** The things that get other streams. */
export type ReplacedThings = Omit<StreamReplacement, 'suffix'>;

export type InjuryReport = Extract<DomainRecord, { type: 'InjuryReported' }>;

/** Writes the records that an act moves anew, each to the thing to which it belongs once the act is done. */
export interface MoveReplay {
  /** The number of records that were written. */
  readonly records: number;
  /** After the last replay. */
  readonly replaced: ReplacedThings;
  /** What waits for a schedule of its event. */
  readonly waiting: ReadonlyMap<number, readonly DomainRecord[]>;
  /** Reports of injuries whose player is not known any more, so that they wait for him. */
  readonly unidentified: readonly InjuryReport[];
  /**
   * Replays what was recorded up to a position. May be called again, with a later position.
   * @throws ConflictError when a stream of this suffix has other records
   */
  through(position: Position): Promise<void>;
  /** What was reported in the former streams since the last replay, up to a position, as messages. */
  missedUntil(position: Position): Promise<readonly ReplayedMessage[]>;
}
