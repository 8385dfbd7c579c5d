import type { Position } from '../../domain/event-sourcing/position.ts';
import { isReplayed } from '../../domain/event-sourcing/record.ts';
import type { IdentityPlan } from '../../domain/identities/identity-plan.ts';
import { replacementStream } from '../../domain/identities/stream-replacements.ts';
import { type DomainRecord, streams, streamsOfPartition } from '../../domain/streams/domain-events.ts';
import { type EventLog, requireAllAppended } from '../../event-log/port/event-log.ts';
import { StreamsInOrder } from '../../event-log/storage/streams-in-order.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import { appendInChunks } from '../states/append-in-chunks.ts';
import type { StateSnapshots } from '../states/state-snapshots.ts';
import { StreamStates } from '../states/stream-states.ts';
import type { ReplayedMessage } from '../subjects/subject.ts';
import { createRecordFinder, type FindRecord, replayedMessagesOf } from '../subjects/subjects.ts';
import { RecordReplay } from './record-replay.ts';
import { RefHomes } from './ref-homes.ts';

/** The events of an act, and what belongs to which of them once it is done. */
export interface EventsToReplay {
  readonly plan: Pick<IdentityPlan, 'ownerOf' | 'meaningOf'>;
  /** All events whose records may be among those that move. */
  readonly events: readonly number[];
  /** Nothing has been recorded in streams of this suffix. */
  readonly suffix: string;
}

type ReplayLog = Pick<EventLog, 'readStream' | 'appendAll' | 'maxAppendBytes' | 'replacements'>;

/**
 * Writes the records of some events anew, into streams with a suffix, from all that the log holds of them: each to the
 * event that it belongs to. Nothing yet says that these streams take the place of the others.
 */
export class EventsReplay {
  readonly #log: ReplayLog;
  readonly #states: StreamStates;
  readonly #replay: RecordReplay;
  readonly #homes = new RefHomes();
  readonly #names: StreamsInOrder;
  readonly #records: StreamsInOrder;
  readonly #find: FindRecord;
  #count = 0;

  /** @param snapshots keep the states of long streams for the messages that come */
  constructor(log: ReplayLog, { plan, events, suffix }: EventsToReplay, snapshots?: StateSnapshots, pageSize?: number) {
    this.#log = log;
    this.#find = createRecordFinder(log);
    this.#states = new StreamStates(log, { nameOf: (plain) => replacementStream(plain, suffix), snapshots });
    const owners = new Set(events.filter((id) => plan.meaningOf(id) === id));
    this.#replay = new RecordReplay({
      states: this.#states,
      find: this.#find,
      ownerOf: (home, sourceRef) => {
        const owner = plan.ownerOf(this.#homes.namingOf(home, sourceRef));
        return owners.has(owner) ? owner : undefined;
      },
    });
    this.#names = new StreamsInOrder(log, { pageSize });
    this.#records = new StreamsInOrder(log, { pageSize, isReplayedFirst: true });
    const all = (plain: readonly string[]) => plain.flatMap((stream) => log.replacements.allOf(stream));
    this.#names.add(events.flatMap((id) => all([streams.event(id)])));
    this.#records.add(events.flatMap((id) => all(streamsOfPartition('event', id))));
  }

  /** The number of records that were written. */
  get records(): number {
    return this.#count;
  }

  /** What waits for a schedule of its event. */
  get waiting(): ReadonlyMap<number, readonly DomainRecord[]> {
    return this.#replay.waiting;
  }

  /**
   * Replays what was recorded up to a position. May be called again, with a later position.
   * @throws ConflictError when a stream of this suffix has other records
   */
  async through(position: Position): Promise<void> {
    this.#records.add(await this.#readSides(position));
    for await (const page of this.#records.pagesThrough(position)) {
      for (const record of page as readonly DomainRecord[]) {
        if (!isReplayed(record) && 'eventId' in record.data) this.#homes.note(record, record.data.eventId);
      }
      await this.#replay.replay(page as readonly DomainRecord[]);
      await this.#append();
    }
  }

  /** What was reported of the events in their former streams since the last replay, up to a position, as messages. */
  async missedUntil(position: Position): Promise<readonly ReplayedMessage[]> {
    const missed: ReplayedMessage[] = [];
    for await (const page of this.#records.pagesThrough(position)) {
      for (const record of page as readonly DomainRecord[]) {
        if ('eventId' in record.data) missed.push(...(await replayedMessagesOf(record, this.#find)));
      }
    }
    return missed;
  }

  async #append(): Promise<void> {
    const appends = this.#states.takeStaged();
    if (appends.length === 0) return;
    const outcomes = await appendInChunks(this.#log, appends);
    requireAllAppended(outcomes);
    this.#count += appends.reduce((sum, { events }) => sum + events.length, 0);
    await this.#states.saveSnapshots(appends, outcomes);
    await yieldToEventLoop();
  }

  /** The streams of the teams and players that are sides of the events. */
  async #readSides(position: Position): Promise<ReadonlySet<string>> {
    const sides = new Set<string>();
    for await (const page of this.#names.pagesThrough(position)) {
      for (const record of page as readonly DomainRecord[]) {
        if (record.type !== 'EventScheduled') continue;
        for (const { key, id } of record.data.content.sides) if (id !== null) sides.add(key.replace(':', '-'));
      }
      await yieldToEventLoop();
    }
    return sides;
  }
}
