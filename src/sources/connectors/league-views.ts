import type { Observable, Subscription } from 'rxjs';
import { type TeamDocument, teams } from '../../../projections/directory/teams.ts';
import { type EventDocument, events } from '../../../projections/sports-events/events.ts';
import type { EventStatus, SportSlug } from '../../domain/catalogue/catalogue.ts';
import { findLeague, findSport, SPORTS } from '../../domain/catalogue/catalogue.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import { DAY } from '../../domain/primitives/time.ts';
import { isOver } from '../../domain/sports-events/sports-event.ts';
import type { BoundRef, Identities } from '../../ingest/identities/identities.ts';
import type { DocumentChanges } from '../../read-models/projector/document-changes.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';
import type { KnownEvent, LeagueView } from '../provider-base/provider.ts';
import { leagueState, UNDER_WAY } from './league-state.ts';

interface LeagueViewsParts {
  readonly store: Pick<ReadStore, 'find'>;
  readonly identities: Pick<Identities, 'listRefs'>;
  readonly changes: Observable<DocumentChanges>;
  /** Slugs of the polled leagues. */
  readonly leagues: readonly string[];
  /** Names of the providers. */
  readonly sources: readonly string[];
  /** Milliseconds. */
  readonly now: () => number;
  readonly onChange: () => void;
}

/** The polled leagues as the log knows them, with the facts that requests depend on. */
export interface LeagueViews {
  /** The present state for one provider, with the provider's own ids. */
  viewsFor(source: string): readonly LeagueView[];
  /** The event that a provider calls by this id, if it is near. */
  eventIdOf(source: string, ref: string): number | undefined;
  /** What a provider calls an event. */
  refOf(source: string, eventId: number): string | undefined;
  /** Reads everything again: events that have come near, and the providers' ids of them. */
  refresh(): Promise<void>;
  close(): void;
}

interface LeagueEvent {
  readonly id: number;
  readonly league: string;
  readonly status: EventStatus;
  readonly startsAt: number;
  readonly overSince: number | undefined;
}

const BEHIND = 2 * DAY;
const AHEAD = 8 * DAY;
/** Maximum number of events and of teams of one league; no league has half as many. */
const MAX_EVENTS = 4000;

export function createLeagueViews(parts: LeagueViewsParts): LeagueViews {
  const { store, identities, leagues, sources, now, onChange } = parts;
  let known = new Map<number, LeagueEvent>();
  /** By source, then by id of the event. Events without a ref of the source are absent. */
  const refs = new Map<string, Map<number, string>>(sources.map((source) => [source, new Map()]));
  /** By source, then by league. */
  const teamRefs = new Map<string, Map<string, readonly string[]>>(sources.map((source) => [source, new Map()]));
  /** The events of `refs` by source and ref. */
  const eventIds = new Map<string, Map<string, number>>(sources.map((source) => [source, new Map()]));
  const polled = new Set(leagues);
  /** Events whose refs have yet to be read. */
  const unnamed = new Set<number>();
  let naming: Promise<void> | undefined;

  const isNear = ({ status, startsAt }: LeagueEvent): boolean =>
    UNDER_WAY.includes(status) || (startsAt >= now() - BEHIND && startsAt <= now() + AHEAD);

  function note(event: LeagueEvent | undefined, id: number, into: Map<number, LeagueEvent>): boolean {
    const before = into.get(id);
    if (!event || !isNear(event)) return into.delete(id);
    into.set(id, event);
    return !before || before.status !== event.status || before.startsAt !== event.startsAt;
  }

  /** Reads the providers' refs of new events; more events may come meanwhile. */
  async function nameAll(): Promise<void> {
    while (unnamed.size > 0) {
      const ids = [...unnamed];
      unnamed.clear();
      const found = await identities.listRefs(ids.map((id) => ({ kind: 'event', scope: '', id })));
      for (const [index, id] of ids.entries()) {
        for (const source of sources) {
          const ref = refBy(source, found[index]!);
          if (ref === undefined) continue;
          refs.get(source)!.set(id, ref);
          eventIds.get(source)!.set(ref, id);
        }
      }
    }
    onChange();
  }

  const startNaming = (): Promise<void> => {
    naming ??= nameAll().finally(() => {
      naming = undefined;
    });
    return naming;
  };

  const subscription: Subscription = parts.changes.subscribe(({ projection, changes }) => {
    if (projection !== events.name) return;
    let hasChanged = false;
    for (const { key, document } of changes) {
      if (document === undefined) {
        hasChanged = known.delete(Number(key)) || hasChanged;
        continue;
      }
      const event = eventOf(document as EventDocument);
      if (!event || !polled.has(event.league)) continue;
      hasChanged = note(event, event.id, known) || hasChanged;
      if (known.has(event.id) && sources.some((source) => !refs.get(source)!.has(event.id))) unnamed.add(event.id);
    }
    // A failure here is repaired by the next refresh.
    if (unnamed.size > 0) startNaming().catch(() => {});
    if (hasChanged) onChange();
  });

  async function readLeague(league: string, into: Map<number, LeagueEvent>): Promise<void> {
    const range = { field: 'starts_at', from: now() - BEHIND, to: now() + AHEAD };
    const order = { field: 'starts_at', direction: 'asc' } as const;
    const near = await store.find<EventDocument>(events.name, { where: { league }, range, order, limit: MAX_EVENTS });
    const underWay = await store.find<EventDocument>(events.name, {
      where: { league, status: UNDER_WAY },
      order,
      limit: MAX_EVENTS,
    });
    for (const { document } of [...near, ...underWay]) {
      const event = eventOf(document);
      if (event) note(event, event.id, into);
    }
  }

  async function readTeams(league: string): Promise<void> {
    const sport = findLeague(league)!.sport;
    if (findSport(sport)?.is_team_sport !== true) return;
    const found = await store.find<TeamDocument>(teams.name, { where: { league }, limit: MAX_EVENTS });
    const ids = found.map(({ key }) => Number(key));
    const named = await identities.listRefs(ids.map((id) => ({ kind: 'team', scope: sport, id })));
    for (const source of sources) {
      teamRefs.get(source)!.set(
        league,
        named.flatMap((bound) => refBy(source, bound) ?? []),
      );
    }
  }

  function viewOf(source: string, league: string, inLeague: readonly LeagueEvent[]): LeagueView {
    const own = refs.get(source)!;
    const all: KnownEvent[] = inLeague.map(({ id, status, startsAt, overSince }) => ({
      eventId: id,
      ref: own.get(id),
      status,
      startsAt,
      overSince,
    }));
    return {
      sport: findLeague(league)!.sport as SportSlug,
      league,
      state: leagueState(all, now()),
      events: all,
      teamRefs: teamRefs.get(source)!.get(league) ?? [],
    };
  }

  return {
    viewsFor(source) {
      const byLeague = new Map<string, LeagueEvent[]>(leagues.map((league) => [league, []]));
      for (const event of known.values()) if (isNear(event)) byLeague.get(event.league)!.push(event);
      return leagues.map((league) => viewOf(source, league, byLeague.get(league)!));
    },
    refOf: (source, eventId) => refs.get(source)?.get(eventId),
    eventIdOf: (source, ref) => eventIds.get(source)?.get(ref),
    async refresh() {
      const read = new Map<number, LeagueEvent>();
      for (const league of leagues) {
        await readLeague(league, read);
        await readTeams(league);
      }
      // A change that came during the read is overwritten here; the next change of the same event repairs it.
      known = read;
      for (const own of refs.values()) for (const id of own.keys()) if (!read.has(id)) own.delete(id);
      for (const own of eventIds.values()) for (const [ref, id] of own) if (!read.has(id)) own.delete(ref);
      for (const id of read.keys()) unnamed.add(id);
      await startNaming();
    },
    close: () => subscription.unsubscribe(),
  };
}

function eventOf({ id, league, event, grounds }: EventDocument): LeagueEvent | undefined {
  const { schedule, status, overAt } = event;
  if (!schedule) return undefined;
  const learned = isOver(status) ? (grounds.status?.recorded_at ?? overAt) : null;
  return {
    id,
    league,
    status,
    startsAt: timeOf(schedule.starts_at),
    overSince: learned === null ? undefined : Date.parse(learned),
  };
}

/** Slugs of all leagues, in the order of the catalogue. */
export const ALL_LEAGUES: readonly string[] = SPORTS.flatMap(({ leagues }) => leagues.map(({ slug }) => slug));

/** A provider's ref of something: the first one if it has several. */
const refBy = (source: string, bound: readonly BoundRef[]): string | undefined =>
  bound.find((one) => one.source === source)?.ref;
