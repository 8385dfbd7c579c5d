import type { Position } from '../../domain/event-sourcing/position.ts';
import { isReplayed } from '../../domain/event-sourcing/record.ts';
import type { IdentityPlan } from '../../domain/identities/identity-plan.ts';
import { type DomainRecord, streams, streamsOfPartition } from '../../domain/streams/domain-events.ts';
import { StreamsInOrder } from '../../event-log/storage/streams-in-order.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import type { ReplayedMessage } from '../subjects/subject.ts';
import { replayedMessagesOf } from '../subjects/subjects.ts';
import type { EntryOf } from './entry-homes.ts';
import { mappedSides } from './mapped-sides.ts';
import type { MoveReplay, ReplacedThings } from './move-replay.ts';
import { RecordReplay } from './record-replay.ts';
import { RefHomes } from './ref-homes.ts';
import type { ReplayLog, ReplayTarget } from './replay-target.ts';

/** The events of an act, and what belongs to which of them once it is done. */
export interface EventsToReplay {
  readonly plan: Pick<IdentityPlan, 'ownerOf' | 'meaningOf'>;
  /** All events whose records may be among those that move. */
  readonly events: readonly number[];
  /** The entries that their sides mean; absent: no act was about one. */
  readonly entryOf?: EntryOf | undefined;
  /** The stream of a team or player, by its plain name; absent: the present one. */
  readonly streamOfEntry?: (plain: string) => string;
}

/**
 * Writes the records of some events anew, into other streams, from all that the log holds of them: each to the
 * event that it belongs to. Nothing yet says that these streams take the place of the others.
 */
export class EventsReplay implements MoveReplay {
  readonly #target: ReplayTarget;
  readonly #replay: RecordReplay;
  readonly #homes = new RefHomes();
  readonly #names: StreamsInOrder;
  readonly #records: StreamsInOrder;
  readonly #entryOf: EntryOf | undefined;
  readonly #streamOfEntry: (plain: string) => string;
  readonly #events: readonly number[];

  constructor(log: ReplayLog, target: ReplayTarget, options: EventsToReplay, pageSize?: number) {
    const { plan, events, entryOf, streamOfEntry = (plain) => log.replacements.current(plain) } = options;
    this.#target = target;
    this.#events = events;
    this.#entryOf = entryOf;
    this.#streamOfEntry = streamOfEntry;
    const owners = new Set(events.filter((id) => plan.meaningOf(id) === id));
    this.#replay = new RecordReplay({
      states: target.states,
      find: target.find,
      entryOf,
      ownerOf: (home, sourceRef) => {
        const owner = plan.ownerOf(this.#homes.namingOf(home, sourceRef));
        return owners.has(owner) ? owner : undefined;
      },
    });
    this.#names = new StreamsInOrder(log, pageSize);
    this.#records = new StreamsInOrder(log, pageSize);
    const all = (plain: readonly string[]) => plain.flatMap((stream) => log.replacements.allOf(stream));
    this.#names.add(events.flatMap((id) => all([streams.event(id)])));
    this.#records.add(events.flatMap((id) => all(streamsOfPartition('event', id))));
  }

  get records(): number {
    return this.#target.records;
  }

  get replaced(): ReplacedThings {
    return { events: this.#events };
  }

  get waiting(): ReadonlyMap<number, readonly DomainRecord[]> {
    return this.#replay.waiting;
  }

  get unidentified() {
    return [];
  }

  async through(position: Position): Promise<void> {
    this.#records.add(await this.#readSides(position));
    for await (const page of this.#records.pagesThrough(position)) {
      for (const record of page as readonly DomainRecord[]) {
        if (!isReplayed(record) && 'eventId' in record.data) this.#homes.note(record, record.data.eventId);
      }
      await this.#replay.replay(page as readonly DomainRecord[]);
      await this.#target.append();
    }
  }

  async missedUntil(position: Position): Promise<readonly ReplayedMessage[]> {
    const missed: ReplayedMessage[] = [];
    for await (const page of this.#records.pagesThrough(position)) {
      for (const record of page as readonly DomainRecord[]) {
        if ('eventId' in record.data) missed.push(...(await replayedMessagesOf(record, this.#target.find)));
      }
    }
    return missed;
  }

  /** The streams of the teams and players that are sides of the events. */
  async #readSides(position: Position): Promise<ReadonlySet<string>> {
    const sides = new Set<string>();
    for await (const page of this.#names.pagesThrough(position)) {
      for (const record of page as readonly DomainRecord[]) {
        if (record.type !== 'EventScheduled' || isReplayed(record)) continue;
        const named = this.#entryOf ? mappedSides(record, this.#entryOf) : record.data.content.sides;
        for (const { key, id } of named) if (id !== null) sides.add(this.#streamOfEntry(key.replace(':', '-')));
      }
      await yieldToEventLoop();
    }
    return sides;
  }
}
