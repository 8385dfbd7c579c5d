import { replacementStream } from '../../domain/identities/stream-replacements.ts';
import { type EventLog, requireAllAppended } from '../../event-log/port/event-log.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import { appendInChunks } from '../states/append-in-chunks.ts';
import type { StateSnapshots } from '../states/state-snapshots.ts';
import { StreamStates } from '../states/stream-states.ts';
import { createRecordFinder, type FindRecord } from '../subjects/subjects.ts';

export type ReplayLog = Pick<EventLog, 'readStream' | 'appendAll' | 'maxAppendBytes' | 'replacements'>;

/** The streams of one suffix, into which records are replayed. Nothing yet says that they take the place of others. */
export class ReplayTarget {
  readonly states: StreamStates;
  readonly find: FindRecord;
  /** The stream that has the records of a plain name. */
  readonly streamOf: (plain: string) => string;
  readonly #log: ReplayLog;
  #count = 0;

  /**
   * @param suffix nothing has been recorded in streams of this suffix
   * @param snapshots keep the states of long streams for the messages that come
   * @param isReplaced whether a plain name gets the suffix; the others are read where they are. Default: all do
   */
  constructor(
    log: ReplayLog,
    suffix: string,
    snapshots?: StateSnapshots,
    isReplaced: (plain: string) => boolean = () => true,
  ) {
    this.#log = log;
    this.find = createRecordFinder(log);
    this.streamOf = (plain) => (isReplaced(plain) ? replacementStream(plain, suffix) : log.replacements.current(plain));
    this.states = new StreamStates(log, { nameOf: this.streamOf, snapshots });
  }

  /** The number of records that were written. */
  get records(): number {
    return this.#count;
  }

  /** @throws ConflictError */
  async append(): Promise<void> {
    const appends = this.states.takeStaged();
    if (appends.length === 0) return;
    const outcomes = await appendInChunks(this.#log, appends);
    requireAllAppended(outcomes);
    this.#count += appends.reduce((sum, { events }) => sum + events.length, 0);
    await this.states.saveSnapshots(appends, outcomes);
    await yieldToEventLoop();
  }
}
