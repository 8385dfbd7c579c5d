import { findLeague, SPORT_SLUGS, type SportSlug, seasonYear } from '../../domain/catalogue/catalogue.ts';
import { isTennis } from '../../domain/catalogue/sport-rules.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import { normalizeName } from '../../domain/primitives/name-normalization.ts';
import { applySides, type EventSides, hasKnownSides, newSides } from '../../domain/side-profiles.ts';
import {
  applySchedule,
  applyScore,
  newSportsEvent,
  type SportsEvent,
  splitsCloseAt,
} from '../../domain/sports-events/sports-event.ts';
import { setsWon } from '../../domain/sports-events/tennis-sets.ts';
import { addBoxReport, type BoxReports, currentBox } from '../../domain/statistics/box-score.ts';
import { countGame } from '../../domain/statistics/counted-game.ts';
import { addLineupReport, findKeyStarter, type LineupReports } from '../../domain/statistics/event-lineup.ts';
import type { BoxContent, DomainRecord } from '../../domain/streams/domain-events.ts';
import { compareObserved, type ObservedRecord, toObservedRecord } from '../../domain/streams/observed-order.ts';
import type { FinishedGame, Fixture } from '../models/model.ts';
import { modelDetailOf, type SettledResult, scopeScores, settledResultOf } from './settled-result.ts';
import { Timeline } from './value-timeline.ts';

/** As the event's own facts tell it; rankings are facts of players. */
export type KnownFixture = Omit<Fixture, 'ranks'>;

/** What was known of the result from a moment on; null: what was told before was taken back. */
export interface KnownResult {
  /** Milliseconds. */
  readonly at: number;
  /** When the server heard of it: milliseconds. */
  readonly recordedAt: number;
  /** Of the fact that told it. */
  readonly fact: FactName;
  readonly game: Omit<FinishedGame, 'ranks'> | null;
}

/** Facts of one moment count in the order of these. */
interface FactName {
  readonly kind: string;
  readonly source: string;
  readonly ref: string;
}

/** All of one sports event that forecasts are made of and judged by, without its prices. */
export interface EventFacts {
  readonly id: number;
  readonly sport: SportSlug;
  readonly league: string;
  /** A source's name of it: ids follow the order of arrival, this does not. */
  readonly name: string;
  /** The year of its season, as schedules say it; else by its start. */
  readonly season: number;
  /** Milliseconds, as known last. */
  readonly startsAt: number;
  /** When the server first heard of it: milliseconds. */
  readonly firstRecordedAt: number;
  /** Facts and prices of this moment and later ones are not looked at before the start: milliseconds. */
  readonly closesAt: number;
  /** Null while a side is open, or a pair. */
  readonly fixtures: Timeline<KnownFixture | null>;
  /** In order of time. */
  readonly results: readonly KnownResult[];
  /** How it ended, by all that is known; null: it did not, or not as bets are settled. */
  readonly result: SettledResult | null;
  /** What each side made in the part of it that has lines of its own (`scopeOf`); null where that is not known. */
  readonly scope: FinishedGame['scope'];
  /** Since when that is its result: milliseconds; null where it has none. */
  readonly settledAt: number | null;
}

const KIND: Readonly<Partial<Record<DomainRecord['type'], string>>> = {
  BoxChanged: 'box',
  LineupChanged: 'lineup',
  EventScheduled: 'schedule',
  ScoreChanged: 'score',
};

/**
 * Folds the records of one event's streams (event, box and lineup, whole and in any order) in the order in which they
 * were observed. Null where nothing is known of its start, or its sport is not one of ours.
 * @param before what was observed at this moment or later is not looked at: milliseconds
 */
export function foldEventFacts(records: readonly DomainRecord[], before = Number.POSITIVE_INFINITY): EventFacts | null {
  const first = records.find(({ type }) => type in KIND);
  if (!first) return null;
  const { eventId, sport, league } = first.data as { eventId: number; sport: string; league: string };
  if (!isSport(sport)) return null;
  const state = new EventFactsFold(eventId, sport, league);
  const observed = observedOf(records).filter(({ at }) => at < before);
  for (let from = 0; from < observed.length; ) {
    let to = from;
    while (to < observed.length && observed[to]!.at === observed[from]!.at) to++;
    state.apply(observed.slice(from, to));
    from = to;
  }
  if (!state.event.schedule) return null;
  // A match may begin before its hour, and the first that is heard of it be its end.
  const closesAt = Math.min(splitsCloseAt(state.event), state.endedAt ?? Number.POSITIVE_INFINITY);
  const startsAt = timeOf(state.event.schedule.starts_at);
  const season = state.event.schedule.season?.year ?? yearOf(league, startsAt);
  const { fixtures, results, settled } = state;
  return {
    ...{ id: eventId, sport, league, name: nameOf(records), season, startsAt, closesAt },
    firstRecordedAt: Math.min(...records.map(recordedAtOf)),
    ...{ fixtures, results, result: settled.result, settledAt: settled.result && settled.at },
    scope: settled.result && scopeScores(state),
  };
}

const recordedAtOf = ({ recordedAt }: DomainRecord): number => Date.parse(recordedAt);

function yearOf(league: string, startsAt: number): number {
  const known = findLeague(league);
  return known ? seasonYear(known, startsAt) : new Date(startsAt).getUTCFullYear();
}

const isSport = (sport: string): sport is SportSlug => (SPORT_SLUGS as readonly string[]).includes(sport);

function observedOf(records: readonly DomainRecord[]): ObservedRecord[] {
  const byPlace = new Map(records.map((record) => [`${record.stream} ${record.revision}`, record]));
  return records
    .map((record) => {
      const original = 'of' in record.data ? byPlace.get(`${record.stream} ${record.data.of}`) : undefined;
      return toObservedRecord(record, original);
    })
    .filter(({ record }) => record.type in KIND)
    .sort(compareObserved);
}

/** The first by source and ref of those that the sources use. */
function nameOf(records: readonly DomainRecord[]): string {
  let least = '';
  for (const { data } of records) {
    const ref = refOf(data);
    const name = `${data.source} ${ref}`;
    if (ref !== '' && (least === '' || name < least)) least = name;
  }
  return least;
}

function refOf(data: DomainRecord['data']): string {
  if ('ref' in data && typeof data.ref === 'string') return data.ref;
  const { origin } = data as { origin?: { ref?: string; match?: unknown } };
  return origin?.ref ?? (origin?.match === undefined ? '' : JSON.stringify(origin.match));
}

/** The fold of one event, moment by moment. */
class EventFactsFold implements EventSides {
  event: SportsEvent = newSportsEvent();
  sides = newSides().sides as EventSides['sides'];
  described = newSides().described;
  readonly fixtures = new Timeline<KnownFixture | null>();
  readonly results: KnownResult[] = [];
  /** When it was first said to be over. */
  endedAt: number | null = null;
  /** How it ended, and since when that is so. */
  settled: { readonly result: SettledResult | null; readonly at: number } = {
    result: null,
    at: Number.NEGATIVE_INFINITY,
  };
  #boxes: BoxReports = [];
  #lineups: LineupReports = [];

  readonly id: number;
  readonly sport: SportSlug;
  readonly league: string;

  constructor(id: number, sport: SportSlug, league: string) {
    this.id = id;
    this.sport = sport;
    this.league = league;
  }

  /** @param told all that was observed at one moment */
  apply(told: readonly ObservedRecord[]): void {
    const { at } = told[0]!;
    for (const { record } of told) this.#apply(record, at);
    const changesFixture = told.some(
      ({ record }) => record.type === 'EventScheduled' || record.type === 'LineupChanged',
    );
    if (changesFixture) this.fixtures.put(at, this.#fixture());
    const result = hasKnownSides(this) ? settledResultOf(this) : null;
    if (JSON.stringify(result) !== JSON.stringify(this.settled.result)) this.settled = { result, at };
    const game = this.#game(result);
    const before = this.results.at(-1)?.game ?? null;
    if (JSON.stringify(game) === JSON.stringify(before)) return;
    const recordedAt = Math.max(...told.map(({ record }) => recordedAtOf(record)));
    this.results.push({ at, recordedAt, fact: factOf(told), game });
  }

  #apply(record: DomainRecord, at: number): void {
    switch (record.type) {
      case 'EventScheduled':
        this.event = applySchedule(this.event, record.data);
        break;
      case 'ScoreChanged':
        this.event = applyScore(this.event, record.data);
        if (record.data.content.status === 'final') this.endedAt ??= at;
        break;
      case 'BoxChanged':
        this.#boxes = addBoxReport(this.#boxes, { ...record.data, content: teamsOf(record.data.content) });
        break;
      case 'LineupChanged':
        this.#lineups = addLineupReport(this.#lineups, record.data);
        break;
    }
    applySides(this, record);
  }

  #fixture(): KnownFixture | null {
    const { schedule } = this.event;
    const [home, away] = this.sides ?? [];
    if (!schedule || !home || !away || home.id === null || away.id === null) return null;
    const { sport, league } = this;
    const starter = (index: 0 | 1) => {
      const name = findKeyStarter(sport, this.#lineups, index)?.name;
      return name === undefined ? null : normalizeName(name);
    };
    return {
      league,
      startsAt: timeOf(schedule.starts_at),
      home: String(home.id),
      away: String(away.id),
      isNeutral: isTennis(sport) || (schedule.neutral_site ?? false),
      surface: schedule.competition?.surface ?? schedule.venue?.surface ?? null,
      bestOf: isTennis(sport) ? (league === 'atp' && schedule.competition?.tier === 'grand_slam' ? 5 : 3) : null,
      starters: { home: starter(0), away: starter(1) },
    };
  }

  /** What is learnt of it: as statistics count games, so no preseason, and no qualifying. */
  #game(result: SettledResult | null): KnownResult['game'] {
    if (result === null || countGame(this, this.endedAt) === null) return null;
    const fixture = this.#fixture();
    if (fixture === null) return null;
    const sets = isTennis(this.sport) ? setsWon(this) : null;
    const bestOf = sets && Math.max(...sets) > 2 ? 5 : fixture.bestOf;
    return {
      ...fixture,
      bestOf,
      ...result,
      detail: modelDetailOf(this, currentBox(this.#boxes)),
      scope: scopeScores(this),
    };
  }
}

const teamsOf = ({ teams }: BoxContent): BoxContent => (teams ? { teams } : {});

/** Of several the last by kind, source and ref: with it all of them are folded. */
function factOf(told: readonly ObservedRecord[]): FactName {
  const names = told.map(({ record: { type, data } }) => ({
    kind: KIND[type]!,
    source: data.source,
    ref: refOf(data),
  }));
  return names.sort(compareFacts).at(-1)!;
}

export function compareFacts(a: FactName, b: FactName): number {
  return compare(a.kind, b.kind) || compare(a.source, b.source) || compare(a.ref, b.ref);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
