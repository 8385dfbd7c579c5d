import { formatDate, formatTime } from '../../domain/primitives/time.ts';
import type { ImportItem } from '../importing/importer.ts';
import { assumedResultTime, assumedScheduleTime } from '../parsing/assumed-times.ts';
import { type CsvRow, cellInteger } from '../parsing/csv.ts';
import { localStart } from '../parsing/local-start.ts';

export type Tour = 'atp' | 'wta';
type Role = 'player_1' | 'player_2';

/** Facts that all messages of a row share. */
export interface Match {
  readonly ref: string;
  readonly tour: Tour;
  readonly startsAt: number;
  readonly tbd: boolean;
  /** Ordered by name: the order must not show who won. */
  readonly players: readonly [Player, Player];
}

export interface Player {
  readonly role: Role;
  readonly ref: string;
  readonly name: string;
  /** The column's letter: `W1` and `B365W` are the winner's. */
  readonly letter: 'W' | 'L';
}

export function readMatch(row: CsvRow, tour: Tour): { match: Match } | Extract<ImportItem, { note: unknown }> {
  const [winner, loser, tournament] = [row.get('Winner'), row.get('Loser'), row.get('Tournament')];
  const start = localStart(row.get('Date'), '', 'utc');
  const [winnerKey, loserKey] = [plain(winner), plain(loser)];
  if (!start || tournament === '' || winnerKey === '' || loserKey === '' || winnerKey === loserKey) {
    const message = 'The row was left out: it has no readable date, tournament or players.';
    return { note: { code: 'row_unreadable', line: row.line, message } };
  }
  const won = { key: winnerKey, name: winner, letter: 'W' as const };
  const lost = { key: loserKey, name: loser, letter: 'L' as const };
  const [first, second] = winnerKey < loserKey ? [won, lost] : [lost, won];
  const player = (role: Role, { key, name, letter }: typeof won | typeof lost): Player => {
    // Some names exist in both tours for two different people.
    return { role, ref: `${tour}:${key}`, name, letter };
  };
  const facts = [tour, formatDate(start.startsAt), plain(tournament), plain(row.get('Round')), first.key, second.key];
  const players = [player('player_1', first), player('player_2', second)] as const;
  return { match: { ref: facts.join(':'), tour, ...start, players } };
}

/** Only letters and digits, so that `Del Potro J. M.` and `Del Potro J.M.` are the same name. */
const plain = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

const TIERS: Readonly<Record<Tour, Readonly<Record<string, string>>>> = {
  atp: {
    grandslam: 'grand_slam',
    masters: 'masters_1000',
    masters1000: 'masters_1000',
    atp500: 'atp_500',
    atp250: 'atp_250',
  },
  wta: { grandslam: 'grand_slam', wta1000: 'wta_1000', wta500: 'wta_500', wta250: 'wta_250' },
};

export function scheduleOfMatch(match: Match, row: CsvRow): Record<string, unknown> {
  const { tour } = match;
  const location = row.get('Location');
  const tier = plain(row.get(tour === 'atp' ? 'Series' : 'Tier'));
  return {
    kind: 'schedule',
    source: 'tennis-data',
    at: assumedScheduleTime(match.startsAt),
    sport: 'tennis',
    league: tour,
    ref: match.ref,
    starts_at: formatTime(match.startsAt),
    starts_at_qualifier: match.tbd ? 'tbd' : undefined,
    participants: match.players.map(({ role, ref, name }) => ({ role, ref, name })),
    round: row.get('Round') || undefined,
    competition: {
      name: row.get('Tournament'),
      surface: surfaceOf(row.get('Surface'), row.get('Court')),
      tier: Object.hasOwn(TIERS[tour], tier) ? TIERS[tour][tier] : undefined,
    },
    // The file names the city and not the ground, so the city is also the venue's name.
    venue: location === '' ? undefined : { name: location, city: location },
    draw_type: 'singles',
  };
}

/** Carpet, and other surfaces that the contract does not have, are left out. */
function surfaceOf(surface: string, court: string): string | undefined {
  switch (surface.toLowerCase()) {
    case 'hard':
      return court.toLowerCase() === 'indoor' ? 'indoor_hard' : 'hard';
    case 'clay':
      return 'clay';
    case 'grass':
      return 'grass';
    default:
      return undefined;
  }
}

type Outcome = 'completed' | 'retired' | 'walkover' | 'unknown';

const SETS = [1, 2, 3, 4, 5] as const;

interface PlayedSet {
  readonly number: number;
  readonly W: number;
  readonly L: number;
}

/** The result of the row; a note if the row has none. */
export function resultOfMatch(match: Match, row: CsvRow): ImportItem {
  const sets = playedSets(row);
  const comment = row.get('Comment');
  let outcome = outcomeOf(comment);
  if (outcome === 'unknown' && isWon(row, sets)) outcome = 'completed';
  if (outcome === 'unknown') {
    const message = `The result was left out: "${comment}" is no known comment, and the sets do not make a whole match.`;
    return { note: { code: 'result_unclear', line: row.line, message } };
  }
  const played = outcome === 'walkover' ? [] : sets;
  return {
    message: {
      kind: 'score',
      source: 'tennis-data',
      at: assumedResultTime(match.startsAt),
      ref: match.ref,
      status: outcome === 'walkover' ? 'walkover' : 'final',
      result_type: outcome === 'completed' ? 'regulation' : outcome,
      scores: match.players.map(({ role, letter }) => ({
        role,
        ...(played.length > 0 && {
          score: played.map((set) => set[letter]).join(' '),
          period_scores: played.map((set) => ({ period: `S${set.number}`, score: set[letter] })),
        }),
        is_winner: letter === 'W',
      })),
    },
  };
}

/** Compares the beginning of the word, because the files have `Walkoer` and `Retied`. A default or an award ends a
 *  match like a retirement. */
function outcomeOf(comment: string): Outcome {
  const word = comment.toLowerCase();
  if (/^com/.test(word)) return 'completed';
  if (/^(ret|aw|disq|def)/.test(word)) return 'retired';
  return /^(wal|w\/?o)/.test(word) ? 'walkover' : 'unknown';
}

/** A set with the games of one side only is left out. */
function playedSets(row: CsvRow): PlayedSet[] {
  const sets = [];
  for (const number of SETS) {
    const W = cellInteger(row.get(`W${number}`));
    const L = cellInteger(row.get(`L${number}`));
    if (W !== undefined && L !== undefined) sets.push({ number, W, L });
  }
  return sets;
}

/** Whether the winner has the sets of a complete match: two of three, or three of five. */
function isWon(row: CsvRow, sets: readonly PlayedSet[]): boolean {
  const needed = Math.ceil((cellInteger(row.get('Best of')) ?? 3) / 2);
  const won = sets.length > 0 ? sets.filter((set) => set.W > set.L).length : (cellInteger(row.get('Wsets')) ?? 0);
  return won >= needed;
}
