import { ascending } from 'd3-array';
import { SPORT_SLUGS, type SportSlug } from '../../domain/catalogue/catalogue.ts';
import { scheduledYear } from '../../domain/catalogue/scheduled-season.ts';
import { isTennis } from '../../domain/catalogue/sport-rules.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import { normalizeName } from '../../domain/primitives/name-normalization.ts';
import { applySides, type EventSides, hasKnownSides, newSides } from '../../domain/side-profiles.ts';
import {
  applySchedule,
  applyScore,
  marketsCloseAt,
  newSportsEvent,
  type SportsEvent,
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

/** A fixture from the event's own facts. Rankings are not among them, because they are facts of players. */
export type KnownFixture = Omit<Fixture, 'ranks'>;

/** What was known of the result from a moment on; null: an earlier result was withdrawn. */
export interface KnownResult {
  /** Milliseconds. */
  readonly at: number;
  /** When the server recorded it: milliseconds. */
  readonly recordedAt: number;
  /** The fact that reported it. */
  readonly fact: FactName;
  readonly game: Omit<FinishedGame, 'ranks'> | null;
}

/** Identifies a fact. Facts of the same moment are ordered by kind, source and ref. */
interface FactName {
  readonly kind: string;
  readonly source: string;
  readonly ref: string;
}

/** All facts of one sports event that forecasts are made from and evaluated by, except its prices. */
export interface EventFacts {
  readonly id: number;
  readonly sport: SportSlug;
  readonly league: string;
  /** A source's name for the event. Unlike ids, it does not depend on the order of arrival. */
  readonly name: string;
  /** The year of its season, from the schedule or else from its start. */
  readonly season: number;
  /** Milliseconds; the last known start. */
  readonly startsAt: number;
  /** When the server recorded the first fact of the event: milliseconds. */
  readonly firstRecordedAt: number;
  /** Forecasts before the start ignore facts and prices of this moment and later: milliseconds. */
  readonly closesAt: number;
  /** Null while a side is unknown, or is a pair. */
  readonly fixtures: Timeline<KnownFixture | null>;
  /** In order of time. */
  readonly results: readonly KnownResult[];
  /** The final result by all facts; null if there is none, or none by which bets are settled. */
  readonly result: SettledResult | null;
  /** The scores in the part of the event that has lines of its own (`scopeOf`); null if unknown. */
  readonly scope: FinishedGame['scope'];
  /** Since when this is the result: milliseconds; null if there is no result. */
  readonly settledAt: number | null;
}

const KIND: Readonly<Partial<Record<DomainRecord['type'], string>>> = {
  BoxChanged: 'box',
  LineupChanged: 'lineup',
  EventScheduled: 'schedule',
  ScoreChanged: 'score',
};

/** How long work is done: a stream may have very many records. */
export interface Turns {
  /** Awaited between pieces of work, so that others go on. */
  pause(): Promise<void>;
  /** Sorts with pauses. Equal items keep their order. */
  sort<T>(items: readonly T[], compare: (a: T, b: T) => number): Promise<T[]>;
}

interface FoldOptions extends Turns {
  /** Ignores what was observed at this moment or later: milliseconds; absent: nothing. */
  readonly before?: number | undefined;
}

/** Records between two pauses. */
const PIECE = 64;

/**
 * Folds the records of one event's streams (event, box and lineup; complete, in any order) in the order in which they
 * were observed. Null if the start is not known, or the sport is not supported.
 */
export async function foldEventFacts(
  records: readonly DomainRecord[],
  { before = Number.POSITIVE_INFINITY, ...turns }: FoldOptions,
): Promise<EventFacts | null> {
  const first = records.find(({ type }) => type in KIND);
  if (!first) return null;
  const { eventId, sport, league } = first.data as { eventId: number; sport: string; league: string };
  if (!isSport(sport)) return null;
  const state = new EventFactsFold(eventId, sport, league);
  const observed = (await observedOf(records, turns)).filter(({ at }) => at < before);
  for (let from = 0; from < observed.length; ) {
    let to = from;
    while (to < observed.length && observed[to]!.at === observed[from]!.at) to++;
    await state.apply(observed.slice(from, to), turns.pause);
    from = to;
  }
  if (!state.event.schedule) return null;
  // A match may begin before its scheduled time, and its end may be the first fact that arrives.
  const closesAt = Math.min(marketsCloseAt(state.event), state.endedAt ?? Number.POSITIVE_INFINITY);
  const startsAt = timeOf(state.event.schedule.starts_at);
  const season = scheduledYear(league, state.event.schedule);
  const { fixtures, results, settled } = state;
  return {
    id: eventId,
    sport,
    league,
    name: await nameOf(records, turns.pause),
    season,
    startsAt,
    closesAt,
    firstRecordedAt: records.reduce((so, record) => Math.min(so, recordedAtOf(record)), Number.POSITIVE_INFINITY),
    fixtures,
    results,
    result: settled.result,
    settledAt: settled.result && settled.at,
    scope: settled.result && scopeScores(state),
  };
}

const recordedAtOf = ({ recordedAt }: DomainRecord): number => Date.parse(recordedAt);

const isSport = (sport: string): sport is SportSlug => (SPORT_SLUGS as readonly string[]).includes(sport);

async function observedOf(records: readonly DomainRecord[], { pause, sort }: Turns): Promise<ObservedRecord[]> {
  const byRevision = new Map(records.map((record) => [`${record.stream} ${record.revision}`, record]));
  const observed: ObservedRecord[] = [];
  for (const [index, record] of records.entries()) {
    if (index % PIECE === PIECE - 1) await pause();
    const original = 'of' in record.data ? byRevision.get(`${record.stream} ${record.data.of}`) : undefined;
    const one = toObservedRecord(record, original);
    if (one.record.type in KIND) observed.push(one);
  }
  return sort(observed, compareObserved);
}

/** The first one, by source and ref, of the sources' names. */
async function nameOf(records: readonly DomainRecord[], pause: Turns['pause']): Promise<string> {
  let first = '';
  for (const [index, { data }] of records.entries()) {
    if (index % PIECE === PIECE - 1) await pause();
    const ref = refOf(data);
    const name = `${data.source} ${ref}`;
    if (ref !== '' && (first === '' || name < first)) first = name;
  }
  return first;
}

function refOf(data: DomainRecord['data']): string {
  if ('ref' in data && typeof data.ref === 'string') return data.ref;
  const { origin } = data as { origin?: { ref?: string; match?: unknown } };
  return origin?.ref ?? (origin?.match === undefined ? '' : JSON.stringify(origin.match));
}

/** Folds the facts of one event, moment by moment. */
class EventFactsFold implements EventSides {
  event: SportsEvent = newSportsEvent();
  sides = newSides().sides as EventSides['sides'];
  described = newSides().described;
  readonly fixtures = new Timeline<KnownFixture | null>();
  readonly results: KnownResult[] = [];
  /** When a source first reported the end of the event. */
  endedAt: number | null = null;
  /** The result, and since when it holds. */
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

  /** @param observed all records that were observed at one moment */
  async apply(observed: readonly ObservedRecord[], pause: Turns['pause']): Promise<void> {
    const { at } = observed[0]!;
    for (const [index, { record }] of observed.entries()) {
      if (index % PIECE === 0) await pause();
      this.#apply(record, at);
    }
    const changesFixture = observed.some(
      ({ record }) => record.type === 'EventScheduled' || record.type === 'LineupChanged',
    );
    if (changesFixture) this.fixtures.put(at, this.#fixture());
    const result = hasKnownSides(this) ? settledResultOf(this) : null;
    if (JSON.stringify(result) !== JSON.stringify(this.settled.result)) this.settled = { result, at };
    const game = this.#game(result);
    const before = this.results.at(-1)?.game ?? null;
    if (JSON.stringify(game) === JSON.stringify(before)) return;
    const recordedAt = observed.reduce((so, { record }) => Math.max(so, recordedAtOf(record)), 0);
    this.results.push({ at, recordedAt, fact: factOf(observed), game });
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

  /** What the model learns from the event. Only games that count in statistics: no preseason, no qualifying. */
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

/** The last of several by kind, source and ref: when it is applied, all of them are. */
function factOf(observed: readonly ObservedRecord[]): FactName {
  const names = observed.map(({ record: { type, data } }) => ({
    kind: KIND[type]!,
    source: data.source,
    ref: refOf(data),
  }));
  return names.sort(compareFacts).at(-1)!;
}

export function compareFacts(a: FactName, b: FactName): number {
  return ascending(a.kind, b.kind) || ascending(a.source, b.source) || ascending(a.ref, b.ref);
}
