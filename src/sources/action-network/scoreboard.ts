import { namesAt, playsLike } from '../../domain/catalogue/added-leagues.ts';
import { gameRulesOf, type PlayedIn } from '../../domain/catalogue/game-rules.ts';
import { rulesOf } from '../../domain/catalogue/sport-rules.ts';
import { formatTime } from '../../domain/primitives/time.ts';
import type { ImportNotes } from '../importing/import-notes.ts';
import {
  assumedClosingTime,
  assumedOpeningTime,
  assumedResultTime,
  assumedScheduleTime,
} from '../parsing/assumed-times.ts';
import { asInteger, asNumber, asRecord, asRecords, asText, asTime, type JsonObject } from '../parsing/json-values.ts';
import { periodName, regulationPeriods } from '../parsing/period-names.ts';
import { playElapsed } from '../parsing/play-elapsed.ts';
import { marketMessages, type PriceTimes } from './market-messages.ts';
import type { PriceRow } from './price-rows.ts';

/** Action Network's names of leagues, each with `[sport, league]`. */
const LEAGUES: Readonly<Record<string, readonly [string, string]>> = {
  ...Object.fromEntries(namesAt('action_network').map(([name, league, sport]) => [name, [sport, league] as const])),
  nfl: ['nfl', 'nfl'],
  ncaaf: ['ncaaf', 'ncaaf'],
  nba: ['nba', 'nba'],
  ncaab: ['ncaab', 'ncaab'],
  mlb: ['mlb', 'mlb'],
  nhl: ['nhl', 'nhl'],
  mls: ['soccer', 'mls'],
  epl: ['soccer', 'epl'],
};
/** Action Network's name of a league; undefined if it has none. */
export const actionNetworkLeague = (league: string): string | undefined =>
  Object.keys(LEAGUES).find((name) => LEAGUES[name]![1] === league);

const STATUSES: Readonly<Record<string, string>> = {
  complete: 'final',
  closed: 'final',
  final: 'final',
  inprogress: 'inprogress',
  in_progress: 'inprogress',
  delayed: 'delayed',
  suspended: 'suspended',
  postponed: 'postponed',
  cancelled: 'cancelled',
  canceled: 'cancelled',
};
const BEFORE = ['scheduled', 'created', 'time-tbd', 'unnecessary'];
const PHASES: Readonly<Record<string, string>> = { pre: 'preseason', reg: 'regular_season', post: 'playoffs' };
const FOOTBALL = ['nfl', 'ncaaf'];

/** A scoreboard game that has all identifying facts. */
interface IdentifiedGame {
  readonly ref: string;
  readonly sport: string;
  readonly league: string;
  /** Milliseconds. */
  readonly startsAt: number;
  readonly home: JsonObject;
  readonly away: JsonObject;
  readonly playoffs: boolean;
}

/** The messages of one scoreboard game: its schedule, its score once it has one, its odds and its splits. */
export function* gameMessages(game: JsonObject, at: string | undefined, notes: ImportNotes): Generator<JsonObject> {
  const named = identifyGame(game, notes);
  if (!named) return;
  yield scheduleOf(game, named, at ?? assumedScheduleTime(named.startsAt));
  const score = scoreOf(game, named, at, notes);
  if (score) yield score;
  yield* pricesOf(game, named, asTime(at), { opening: assumedOpeningTime(named.startsAt) }, notes);
}

/** Undefined, with a note, if the league is not covered or the game lacks identifying facts. */
export function identifyGame(game: JsonObject, notes: ImportNotes): IdentifiedGame | undefined {
  const ref = asText(game['id']);
  const [sport, league] = LEAGUES[(asText(game['league_name']) ?? '').toLowerCase()] ?? [];
  const startsAt = asTime(game['start_time']);
  const teams = asRecords(game['teams']);
  const home = teams.find((team) => team['id'] === game['home_team_id']);
  const away = teams.find((team) => team['id'] === game['away_team_id']);
  if (!sport || !league) {
    notes.add('unknown_league', `A game of the league "${asText(game['league_name']) ?? ''}" was left out.`);
    return undefined;
  }
  if (!ref || startsAt === undefined || !home || !away) {
    notes.add('incomplete_game', 'A game without id, start or both of its teams was left out.');
    return undefined;
  }
  return { ref, sport, league, startsAt, home, away, playoffs: asText(game['type']) === 'post' };
}

export function scheduleOf(game: JsonObject, named: IdentifiedGame, at: string): JsonObject {
  const { sport, league, ref, startsAt, home, away, playoffs } = named;
  return {
    kind: 'schedule',
    source: 'action-network',
    at,
    sport,
    league,
    ref,
    season: seasonOf(game),
    starts_at: formatTime(startsAt),
    participants: [participant('home', home), participant('away', away)],
    round:
      FOOTBALL.includes(playsLike(sport)) && game['week'] && !playoffs ? `Week ${asText(game['week'])}` : undefined,
    broadcast: asText(asRecord(game['broadcast'])['network']),
  };
}

/**
 * The odds and splits. Before the start they have the time of the request, if known; otherwise they count as the last
 * ones before the start.
 * @param requestedAt in milliseconds
 */
export function* pricesOf(
  game: JsonObject,
  { ref, sport, startsAt }: IdentifiedGame,
  requestedAt: number | undefined,
  opening: Pick<PriceTimes, 'opening'>,
  notes: ImportNotes,
): Generator<JsonObject> {
  const latest =
    requestedAt !== undefined && requestedAt < startsAt ? formatTime(requestedAt) : assumedClosingTime(startsAt);
  yield* marketMessages({ ref }, { ...opening, latest, sport }, rowsOf(game), notes);
}

function seasonOf(game: JsonObject): JsonObject | undefined {
  const year = asNumber(game['season']);
  const phase = PHASES[asText(game['type']) ?? ''];
  return year !== undefined && phase ? { year, phase } : undefined;
}

const participant = (role: string, team: JsonObject): JsonObject => ({
  role,
  ref: asText(team['id']),
  name: asText(team['full_name']) ?? asText(team['display_name']),
  abbreviation: asText(team['abbr']),
});

/** The `score` message; undefined before the start. @param at when the source was asked */
export function scoreOf(
  game: JsonObject,
  identified: IdentifiedGame,
  at: string | undefined,
  notes: ImportNotes,
): JsonObject | undefined {
  const { ref, sport, league, playoffs, startsAt } = identified;
  const told = asText(game['status']) ?? '';
  const status = STATUSES[told];
  if (!status) {
    if (!BEFORE.includes(told)) notes.add('unknown_status', `The status "${told}" of a game was left out.`);
    return undefined;
  }
  const box = asRecord(game['boxscore']);
  const lines = asRecords(box['linescore']);
  const numbers = lines.map((line, index) => asNumber(line['id']) ?? index + 1);
  const over = status === 'final';
  const period = asNumber(box['period']) ?? numbers.at(-1);
  const reached = Math.max(period ?? 0, over ? (numbers.at(-1) ?? 0) : 0);
  const clock = asText(box['clock']);
  const played = playElapsed({ sport, league, playoffs, over, period: reached || undefined, clock });
  const when =
    at ?? (over ? assumedResultTime(startsAt) : formatTime(startsAt + (status === 'inprogress' ? played : 0)));
  // A delayed or postponed game has no score: the source shows zeros.
  if (!['final', 'inprogress', 'suspended'].includes(status))
    return { kind: 'score', source: 'action-network', at: when, status, ref };

  const side = (role: 'home' | 'away'): JsonObject => ({
    role,
    score: asText(box[`total_${role}_points`]),
    period_scores: lines.flatMap((line, index) => {
      const points = asInteger(line[`${role}_points`]);
      const name = periodName(identified, numbers[index]!, playoffs);
      return points === undefined || !name ? [] : [{ period: name, score: points }];
    }),
    is_winner: over ? winnerOf(game, role) : undefined,
  });
  return {
    kind: 'score',
    source: 'action-network',
    at: when,
    ref,
    status,
    period: gameRulesOf(identified).unit === 'inning' ? undefined : periodName(identified, reached, playoffs),
    clock: over || !rulesOf(sport).showsClock ? undefined : clock,
    result_type: over ? resultType(identified, reached, playoffs) : undefined,
    scores: [side('home'), side('away')],
  };
}

/** The winner as the source states it. A draw has no winner; its scores show it. */
function winnerOf(game: JsonObject, role: 'home' | 'away'): boolean | undefined {
  const winner = asNumber(game['winning_team_id']);
  return winner ? winner === asNumber(game[`${role}_team_id`]) : undefined;
}

function resultType(game: PlayedIn, reached: number, playoffs: boolean): string | undefined {
  if (gameRulesOf(game).unit === 'inning') return 'regulation';
  if (reached === 0) return undefined;
  if (periodName(game, reached, playoffs) === 'SO') return 'shootout';
  return reached > (regulationPeriods(game) ?? reached) ? 'overtime' : 'regulation';
}

/** Every row of every market. Older answers give a row's period and type only by its path. */
function rowsOf(game: JsonObject): PriceRow[] {
  const rows: PriceRow[] = [];
  for (const [book, periods] of Object.entries(asRecord(game['markets']))) {
    for (const [period, types] of Object.entries(asRecord(periods))) {
      for (const [type, list] of Object.entries(asRecord(types))) {
        for (const row of asRecords(list)) rows.push(rowOf(row, book, period, type, game));
      }
    }
  }
  return rows;
}

function rowOf(row: JsonObject, book: string, period: string, type: string, game: JsonObject): PriceRow {
  const info = asRecord(row['bet_info']);
  const team = row['team_id'];
  const isTeam = team !== undefined && team !== null && team !== 0;
  return {
    book: asText(row['book_id']) ?? book,
    type,
    period,
    side: asText(row['side']) ?? '',
    value: asNumber(row['value']),
    odds: asNumber(row['odds']),
    team:
      isTeam && team === game['home_team_id'] ? 'home' : isTeam && team === game['away_team_id'] ? 'away' : undefined,
    live: row['is_live'] === true,
    tickets: asNumber(asRecord(info['tickets'])['percent']),
    money: asNumber(asRecord(info['money'])['percent']),
  };
}
