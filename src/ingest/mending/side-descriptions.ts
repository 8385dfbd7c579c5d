import { isDeepStrictEqual } from 'node:util';
import { type ProfileFrom, playerDecider, teamDecider } from '../../../commands/directory-decider.ts';
import { type EventState, eventDecider } from '../../../commands/events/event-decider.ts';
import type { StreamDecider } from '../../domain/event-sourcing/stream-decider.ts';
import type { EventOfKind, RecordOf } from '../../domain/event-sourcing/stream-kind.ts';
import { addToGroup } from '../../domain/primitives/collections.ts';
import type { DomainRecord } from '../../domain/streams/domain-events.ts';
import { playerStream, teamStream } from '../../domain/streams/stream-definitions.ts';

type EntryRecord = RecordOf<EventOfKind<typeof teamStream | typeof playerStream>>;
type ScheduleRecord = Extract<DomainRecord, { type: 'EventScheduled' }>;

export const isEntryRecord = (record: DomainRecord): record is EntryRecord =>
  record.type in teamStream.versions || record.type in playerStream.versions;

const sideOf = ({ data }: EntryRecord): string =>
  'teamId' in data ? `team:${data.teamId}` : `player:${data.playerId}`;
/** The events that result. */
interface ReplayedEvents {
  stateOf(id: number): Promise<EventState>;
  decide(decider: StreamDecider, id: number, fact: unknown, firstRecordedAt: string): Promise<void>;
}

/** Who described a side, and when it was first recorded. */
interface FirstRecording {
  readonly source: string;
  readonly firstRecordedAt: string;
}

/**
 * The directory as it was while the log is replayed: it gives the events that result the descriptions of
 * their sides that they would have had.
 */
export class SideDescriptions {
  readonly #events: ReplayedEvents;
  /** By the key of the side. */
  readonly #entries = new Map<string, { standings: readonly ProfileFrom[] }>();
  readonly #scheduled = new Set<number>();
  /** Records of each side that are not noted yet, in order. */
  #expected = new Map<string, EntryRecord[]>();

  constructor(events: ReplayedEvents) {
    this.#events = events;
  }

  /** The records that follow, with which `note` will be called. */
  expect(records: readonly EntryRecord[]): void {
    this.#expected = new Map();
    for (const record of records) addToGroup(this.#expected, sideOf(record), record);
  }

  /**
   * Notes the records of the entries that this schedule named. A batch is written stream by stream, so that they may
   * come only after the schedule.
   */
  async noteNamedBy({ data: { at, source, content }, recordedAt }: ScheduleRecord): Promise<void> {
    const keys = content.sides.flatMap(({ key, members = [] }) => [key, ...members.map(({ id }) => `player:${id}`)]);
    for (const key of keys) {
      const expected = this.#expected.get(key) ?? [];
      const last = expected.findLastIndex(
        (record) =>
          record.recordedAt === recordedAt &&
          'content' in record.data &&
          record.data.content.rank === 'named' &&
          record.data.at === at &&
          record.data.source === source,
      );
      for (const record of expected.slice(0, last + 1)) await this.note(record);
    }
  }

  /** A record of the directory: what it changes goes into each event that has this side. Once is enough. */
  async note(record: EntryRecord): Promise<void> {
    const { data } = record;
    const side = sideOf(record);
    const expected = this.#expected.get(side);
    if (expected?.[0]?.position !== record.position) return;
    expected.shift();
    const decider: StreamDecider = 'teamId' in data ? teamDecider : playerDecider;
    const entry = this.#entries.get(side) ?? decider.initial();
    const before = entry.standings;
    const after = decider.evolve(entry, record);
    this.#entries.set(side, after);
    if (before.length === 0 || isDeepStrictEqual(before, after.standings)) return;
    const first = { source: data.source, firstRecordedAt: record.recordedAt };
    for (const id of this.#scheduled) {
      const state = await this.#events.stateOf(id);
      // A side of a former schedule alone is none by which the event is found.
      if (state.event.schedule?.sides?.some(({ key }) => key === side))
        await this.#describeSide(id, state, side, first);
    }
  }

  /** An event got a schedule: describes all of its sides. */
  async describe(id: number, first: FirstRecording): Promise<void> {
    this.#scheduled.add(id);
    const state = await this.#events.stateOf(id);
    for (const { id: entry, key } of state.event.schedule?.sides ?? []) {
      if (entry !== null) await this.#describeSide(id, state, key, first);
    }
  }

  async #describeSide(id: number, { identity }: EventState, side: string, first: FirstRecording): Promise<void> {
    const profiles = this.#entries.get(side)?.standings ?? [];
    if (profiles.length === 0) return;
    const fact = { kind: 'description', identity, side, source: first.source, profiles };
    await this.#events.decide(eventDecider, id, fact, first.firstRecordedAt);
  }
}
