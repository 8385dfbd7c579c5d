import { rulesOf } from '../../domain/catalogue/sport-rules.ts';
import type { Position } from '../../domain/event-sourcing/position.ts';
import { isReplayed } from '../../domain/event-sourcing/record.ts';
import { type DomainRecord, streams } from '../../domain/streams/domain-events.ts';
import { allTypesExcept } from '../../domain/upcasters.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import type { EntryKind } from '../binding/pending-descriptions.ts';
import type { Identities } from '../identities/identities.ts';
import { entriesOfSides } from './mapped-sides.ts';

interface EntryNamersParts {
  readonly log: Pick<EventLog, 'head' | 'readStreams' | 'readAllFrom' | 'replacements'>;
  readonly identities: Pick<Identities, 'countAllocated' | 'eventsOfSide' | 'eventsOfPairs'>;
  readonly kind: EntryKind;
  readonly sport: string;
  /** The entries that are looked for. */
  readonly entries: ReadonlySet<number>;
}

/** Types of records that name an entry of another stream. */
const NAMING = ['EventScheduled', 'PlayerChanged', 'InjuredPlayerIdentified'] as const;
const UNWANTED = allTypesExcept(NAMING);
/** Streams in one read. */
const AT_ONCE = 50;

/**
 * Finds what names some entries: the events of which they are sides, the players of these teams, the teams whose reports
 * of injuries name these players. Events that named them only in the past are not found: there is no index of those.
 */
export class EntryNamers {
  readonly #parts: EntryNamersParts;
  /** Up to here, everything is found; undefined before the first search. */
  #position: Position | null | undefined;
  readonly events = new Set<number>();
  readonly players = new Set<number>();
  readonly teams = new Set<number>();
  /** The events of other teams; see `watch`. */
  readonly watchedEvents = new Set<number>();
  readonly #watched = new Set<number>();
  /** Events whose sides may have changed since they were asked for. */
  readonly #scheduled = new Set<number>();

  constructor(parts: EntryNamersParts) {
    this.#parts = parts;
  }

  /** May be called again, with a later position. */
  async through(position: Position): Promise<void> {
    if (this.#position === undefined) await this.#searchAll();
    for await (const page of this.#parts.log.readAllFrom(this.#position ?? null, { unwanted: UNWANTED })) {
      for (const record of page as readonly DomainRecord[]) {
        if (record.position > position) break;
        this.#note(record);
      }
      await yieldToEventLoop();
      if (page.at(-1)!.position >= position) break;
    }
    this.#position = position;
  }

  /** Finds the events of these teams too, where players are looked for. */
  async watch(teams: readonly number[]): Promise<void> {
    for (const id of teams) {
      if (this.#watched.has(id)) continue;
      this.#watched.add(id);
      for (const event of await this.#parts.identities.eventsOfSide(`team:${id}`)) this.watchedEvents.add(event);
    }
  }

  /** Events that were scheduled since the last call. */
  takeScheduled(): ReadonlySet<number> {
    const scheduled = new Set(this.#scheduled);
    this.#scheduled.clear();
    return scheduled;
  }

  async #searchAll(): Promise<void> {
    const { log, identities, kind, sport, entries } = this.#parts;
    this.#position = await log.head();
    for (const id of entries) {
      for (const event of await identities.eventsOfSide(`${kind}:${id}`)) this.events.add(event);
    }
    const { entry, hasPairs } = rulesOf(sport);
    if (kind === 'player' && hasPairs) await this.#read(await identities.eventsOfPairs(), streams.event);
    // Where players are sides themselves there are no teams.
    if (entry === 'player') return;
    const [name, named] =
      kind === 'team' ? ([streams.player, 'player'] as const) : ([streams.injuries, 'team'] as const);
    const count = await identities.countAllocated(named);
    await this.#read(
      Array.from({ length: count }, (_, index) => index + 1),
      name,
    );
  }

  async #read(ids: readonly number[], nameOf: (id: number) => string): Promise<void> {
    const { log } = this.#parts;
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      // Also the former ones: an act may have taken away what another one brings back.
      const names = ids.slice(from, from + AT_ONCE).flatMap((id) => log.replacements.allOf(nameOf(id)));
      for (const records of await log.readStreams(names)) {
        for (const record of records as readonly DomainRecord[]) this.#note(record);
        await yieldToEventLoop();
      }
    }
  }

  #note(record: DomainRecord): void {
    const { kind, entries } = this.#parts;
    if (record.type === 'PlayerChanged') {
      const { team_id } = record.data.content.facts;
      if (kind === 'team' && team_id !== undefined && entries.has(team_id)) this.players.add(record.data.playerId);
    } else if (record.type === 'InjuredPlayerIdentified') {
      if (kind === 'player' && entries.has(record.data.playerId)) this.teams.add(record.data.teamId);
    } else if (record.type === 'EventScheduled') {
      const ofKind = rulesOf(record.data.sport).entry;
      const sides = entriesOfSides(record.data.content.sides);
      const { eventId } = record.data;
      if (ofKind === kind && sides.some((id) => entries.has(id))) this.events.add(eventId);
      else if (ofKind === 'team' && sides.some((id) => this.#watched.has(id))) this.watchedEvents.add(eventId);
      else return;
      if (!isReplayed(record)) this.#scheduled.add(eventId);
    }
  }
}
