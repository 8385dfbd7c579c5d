import { formatTime } from '../../domain/primitives/time.ts';
import { assumedClosingTime, assumedResultTime, assumedScheduleTime } from '../parsing/assumed-times.ts';
import { type CsvRow, cellInteger } from '../parsing/csv.ts';
import { startQualifier } from '../parsing/start-qualifier.ts';
import { type Game, type GameSide, knownText } from './game-row.ts';

/** Columns with the game's id at another source, and the slug of that source. */
const OTHER_IDS: readonly (readonly [column: string, source: string])[] = [
  ['espn', 'espn'],
  ['gsis', 'gsis'],
  ['pfr', 'pfr'],
  ['pff', 'pff'],
  ['ftn', 'ftn'],
];

const PLAYOFF_ROUNDS: Readonly<Record<string, string>> = {
  WC: 'Wild Card',
  DIV: 'Divisional Round',
  CON: 'Conference Championship',
  SB: 'Super Bowl',
};

export function scheduleOfGame(game: Game, row: CsvRow): Record<string, unknown> {
  const type = row.get('game_type');
  const location = row.get('location');
  return {
    kind: 'schedule',
    source: 'nflverse',
    at: assumedScheduleTime(game.startsAt),
    sport: 'nfl',
    league: 'nfl',
    ref: game.ref,
    refs: otherIds(row),
    season: {
      year: game.season,
      phase: type === 'PRE' ? 'preseason' : type === 'REG' ? 'regular_season' : 'playoffs',
    },
    starts_at: formatTime(game.startsAt),
    starts_at_qualifier: startQualifier(!game.tbd),
    participants: [participant('home', game.home), participant('away', game.away)],
    round: roundOf(type, row.get('week')),
    neutral_site: location === 'Neutral' ? true : location === 'Home' ? false : undefined,
    venue: venueOf(row),
  };
}

export function scoreOfGame(game: Game, row: CsvRow, home: number, away: number): Record<string, unknown> {
  const overtime = cellInteger(row.get('overtime'));
  return {
    kind: 'score',
    source: 'nflverse',
    at: assumedResultTime(game.startsAt),
    ref: game.ref,
    status: 'final',
    result_type: overtime === undefined ? undefined : overtime > 0 ? 'overtime' : 'regulation',
    scores: [
      { role: 'home', score: String(home), is_winner: home > away },
      { role: 'away', score: String(away), is_winner: away > home },
    ],
  };
}

const participant = (role: 'home' | 'away', { code, team }: GameSide) => ({
  role,
  ref: team.ref,
  name: team.name,
  abbreviation: code,
});

function otherIds(row: CsvRow): Record<string, string> | undefined {
  const ids: Record<string, string> = {};
  for (const [column, source] of OTHER_IDS) {
    // Tools may have turned a column with gaps into decimal numbers: 4094.0 is 4094.
    const id = knownText(row.get(column)).replace(/^(\d+)\.0$/, '$1');
    if (id !== '') ids[source] = id;
  }
  return Object.keys(ids).length > 0 ? ids : undefined;
}

function roundOf(type: string, week: string): string | undefined {
  if (PLAYOFF_ROUNDS[type]) return PLAYOFF_ROUNDS[type];
  const number = cellInteger(week);
  if (number === undefined) return undefined;
  return type === 'PRE' ? `Preseason Week ${number}` : `Week ${number}`;
}

function venueOf(row: CsvRow): Record<string, unknown> | undefined {
  const name = knownText(row.get('stadium'));
  if (name === '') return undefined;
  return {
    name,
    roof_type: knownText(row.get('roof')) || undefined,
    surface: knownText(row.get('surface')) || undefined,
  };
}

/** The starting quarterbacks as a `lineup` message at the start of the game, when they were certainly known. Undefined
 *  if the row names none. */
export function lineupOfGame(game: Game, row: CsvRow): Record<string, unknown> | undefined {
  const starters = (['home', 'away'] as const).flatMap((role) => {
    const [name, ref] = [knownText(row.get(`${role}_qb_name`)), knownText(row.get(`${role}_qb_id`))];
    return name === '' ? [] : [[role, { ref: ref || undefined, name }] as const];
  });
  if (starters.length === 0) return undefined;
  return {
    kind: 'lineup',
    source: 'nflverse',
    at: assumedClosingTime(game.startsAt),
    ref: game.ref,
    teams: {},
    probable_starters: Object.fromEntries(starters),
  };
}
