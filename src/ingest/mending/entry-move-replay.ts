import { isDeepStrictEqual } from 'node:util';
import { playerDecider, teamDecider } from '../../../commands/directory-decider.ts';
import type { Position } from '../../domain/event-sourcing/position.ts';
import { isReplayed } from '../../domain/event-sourcing/record.ts';
import type { IdentityPlan } from '../../domain/identities/identity-plan.ts';
import { type DomainRecord, streams } from '../../domain/streams/domain-events.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { readPages } from '../../event-log/storage/read-pages.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import type { EntryKind } from '../binding/pending-descriptions.ts';
import type { Identities } from '../identities/identities.ts';
import type { StateSnapshots } from '../states/state-snapshots.ts';
import { StreamStates } from '../states/stream-states.ts';
import type { ReplayedMessage } from '../subjects/subject.ts';
import { EntriesReplay } from './entries-replay.ts';
import type { EntryGroups, EntryOf } from './entry-homes.ts';
import { EntryNamers } from './entry-namers.ts';
import { EventsReplay } from './events-replay.ts';
import { entriesOfSides, mappedSides, type ScheduleRecord } from './mapped-sides.ts';
import type { MoveReplay, ReplacedThings } from './move-replay.ts';
import { ReplayTarget } from './replay-target.ts';

/** The entries of an act, and what they mean before it and once it is done. */
export interface EntryMove {
  readonly kind: EntryKind;
  readonly sport: string;
  /** All entries whose records may be among those that move. */
  readonly entries: readonly number[];
  readonly groups: EntryGroups;
  readonly before: EntryOf;
  readonly after: EntryOf;
  /** Which event everything belongs to: the act changes nothing of that. */
  readonly events: Pick<IdentityPlan, 'ownerOf' | 'meaningOf'>;
  /** All events between which acts have moved records, of an event. */
  readonly connectedTo: (event: number) => readonly number[];
  readonly suffix: string;
  /** Gets each report on the entries as it was recorded at first. */
  readonly noteReport?: (report: DomainRecord) => void;
}

interface EntryMoveParts {
  readonly log: EventLog;
  readonly identities: Identities;
  readonly snapshots: StateSnapshots | undefined;
}

/** Events between which acts have moved records. */
interface EventGroup {
  readonly events: readonly number[];
  /** The act is about none of their sides. */
  readonly isOnlyRead: boolean;
  /** Undefined: what they name is not known. */
  named: NamedByGroup | undefined;
  /** Up to here, their schedules were replayed. */
  position: Position | null;
  replay: EventsReplay | undefined;
}

interface NamedByGroup {
  readonly entries: ReadonlySet<number>;
  /** Whether the act changes which entries they name. */
  readonly changes: boolean;
}

const NOTHING_WAITS: ReadonlyMap<number, readonly DomainRecord[]> = new Map();

/**
 * Writes anew what an act on teams or players moves: their own records, those of players and injuries that name them,
 * and the events that name them. An event that names the same entries as before, and whose entries are described as
 * before, stays as it is.
 */
export class EntryMoveReplay implements MoveReplay {
  readonly #parts: EntryMoveParts;
  readonly #move: EntryMove;
  readonly #namers: EntryNamers;
  readonly #target: ReplayTarget;
  readonly #entries: EntriesReplay;
  /** The states of the entries as they are until now. */
  readonly #former: StreamStates;
  readonly #groups = new Map<string, EventGroup>();

  constructor(parts: EntryMoveParts, move: EntryMove) {
    const { log, identities, snapshots } = parts;
    const { kind, sport, entries, after, suffix, noteReport } = move;
    this.#parts = parts;
    this.#move = move;
    this.#namers = new EntryNamers({ log, identities, kind, sport, entries: new Set(entries) });
    const isReplaced = (plain: string): boolean => this.#isReplaced(plain);
    this.#target = new ReplayTarget(log, suffix, snapshots, isReplaced);
    const { states, find } = this.#target;
    this.#entries = new EntriesReplay({
      log,
      states,
      find,
      entryOf: after,
      noteReport,
      append: () => this.#target.append(),
    });
    this.#add(kind, entries[0]!);
    this.#former = new StreamStates(log, { nameOf: (plain) => log.replacements.current(plain) });
  }

  get records(): number {
    return this.#target.records;
  }

  get replaced(): ReplacedThings {
    const events = [...this.#groups.values()].filter(({ replay }) => replay).flatMap((group) => group.events);
    return {
      events: [...new Set(events)].sort((a, b) => a - b),
      teams: this.#entries.all('team'),
      players: this.#entries.all('player'),
    };
  }

  /** The messages whose events have no schedule wait since the act that took it away. */
  get waiting() {
    return NOTHING_WAITS;
  }

  get unidentified() {
    return this.#entries.unidentified;
  }

  async through(position: Position): Promise<void> {
    const { log } = this.#parts;
    await this.#namers.through(position);
    for (const id of this.#namers.players) this.#add('player', id);
    for (const id of this.#namers.teams) this.#add('team', id);
    // Which of them was mentioned first, the records of their events alone say.
    if (this.#move.kind === 'player')
      await this.#namers.watch(this.#entries.all('team').filter((id) => this.#move.groups.has('team', id)));
    const groups = await this.#eventGroups();
    const schedules: ScheduleRecord[] = [];
    for (const group of groups) {
      if (!group.named) {
        const { position: before } = group;
        const isNew = (one: ScheduleRecord) => (before === null || one.position > before) && one.position <= position;
        group.named = await this.#namedBy(group.events, (schedule) => {
          if (isNew(schedule)) schedules.push(schedule);
        });
      }
      group.position = position;
    }
    await this.#entries.through(position, schedules);
    const redescribed = await this.#redescribed();
    // The records of the entries that were written just now.
    const head = (await log.head()) ?? position;
    for (const group of groups) {
      const { entries, changes } = group.named!;
      if (group.isOnlyRead) continue;
      if (changes || [...entries].some((id) => redescribed.has(id))) group.replay ??= this.#replayOf(group.events);
      await group.replay?.through(head);
      await yieldToEventLoop();
    }
  }

  async missedUntil(position: Position): Promise<readonly ReplayedMessage[]> {
    const missed = [...(await this.#entries.missedUntil(position))];
    for (const { replay } of this.#groups.values()) missed.push(...((await replay?.missedUntil(position)) ?? []));
    return missed;
  }

  /** What was recorded of an entry may lie with those that were merged into it. */
  #add(kind: EntryKind, id: number): void {
    if (this.#entries.has(kind, id)) return;
    for (const one of this.#move.groups.members(kind, id)) this.#entries.add(kind, one);
  }

  #isReplaced(plain: string): boolean {
    const [name, id] = plain.split('-');
    if (name === 'player') return this.#entries.has('player', Number(id));
    if (name === 'team' || name === 'injuries') return this.#entries.has('team', Number(id));
    return true;
  }

  /** The entries that events show in another way since. */
  async #redescribed(): Promise<ReadonlySet<number>> {
    const { kind, entries } = this.#move;
    const decider = kind === 'team' ? teamDecider : playerDecider;
    const found = new Set<number>();
    for (const id of entries) {
      const before = (await this.#former.get<any>(decider, id)).standings;
      const after = (await this.#target.states.get<any>(decider, id)).standings;
      if (!isDeepStrictEqual(before, after)) found.add(id);
    }
    this.#former.reset();
    return found;
  }

  async #eventGroups(): Promise<readonly EventGroup[]> {
    for (const found of [this.#namers.events, this.#namers.watchedEvents]) {
      const isOnlyRead = found !== this.#namers.events;
      for (const event of found) {
        const events = this.#move.connectedTo(event);
        const key = events.join(' ');
        const group: EventGroup = { events, isOnlyRead, named: undefined, position: null, replay: undefined };
        if (!this.#groups.has(key)) this.#groups.set(key, group);
      }
    }
    const scheduled = this.#namers.takeScheduled();
    const groups = [...this.#groups.values()];
    for (const group of groups) if (group.events.some((id) => scheduled.has(id))) group.named = undefined;
    return groups;
  }

  async #namedBy(events: readonly number[], note: (schedule: ScheduleRecord) => void): Promise<NamedByGroup> {
    const { log } = this.#parts;
    const { before, after } = this.#move;
    const entries = new Set<number>();
    let changes = false;
    const names = events.flatMap((id) => log.replacements.allOf(streams.event(id)));
    for await (const page of readPages(log, names)) {
      for (const record of page as readonly DomainRecord[]) {
        if (record.type !== 'EventScheduled' || isReplayed(record)) continue;
        note(record);
        const [formerly, now] = [mappedSides(record, before), mappedSides(record, after)].map(entriesOfSides);
        for (const id of now!) entries.add(id);
        changes ||= !isDeepStrictEqual(formerly, now);
      }
    }
    return { entries, changes };
  }

  #replayOf(events: readonly number[]): EventsReplay {
    const { after, events: plan } = this.#move;
    return new EventsReplay(this.#parts.log, this.#target, {
      plan,
      events,
      entryOf: after,
      streamOfEntry: (plain) => this.#target.streamOf(plain),
    });
  }
}
