import type { KnowledgeTimes } from '../observations/knowledge-times.ts';
import type { AveragedSides } from './averaged-box.ts';
import type { CountedGame, SideIndex } from './counted-game.ts';

/** A game as a list, without member names. */
export type PackedGame = readonly [
  seasonId: number,
  startsAt: number,
  /** Duration in milliseconds. */
  lasted: number,
  first: number,
  second: number,
  scores: readonly [number, number] | null,
  winner: SideIndex | null,
  beyond: CountedGame['beyond'],
  neutral: 0 | 1,
  games?: readonly [number, number] | null,
  surface?: string | null,
  playoff?: 1,
];

/** A game from a row text. */
interface PackedRow extends KnowledgeTimes {
  readonly game: PackedGame;
  /** False: the game counted once, but no longer does. */
  readonly counts: boolean;
}

/** The averaged statistics of both sides, and since when they are known. */
interface AveragedBox extends KnowledgeTimes {
  readonly stats: AveragedSides;
}

/** A game from a table, which may have the statistics of its sides. */
export interface GameRow extends KnowledgeTimes {
  readonly game: CountedGame;
  readonly counts: boolean;
  readonly box?: AveragedBox;
}

export function packGame(game: CountedGame): PackedGame {
  const { seasonId, startsAt, endedAt, sides, scores, winner, beyond, neutral, games, surface, isPlayoff } = game;
  const duration = endedAt - startsAt;
  const row = [seasonId, startsAt, duration, sides[0], sides[1], scores, winner, beyond, neutral ? 1 : 0] as const;
  if (isPlayoff) return [...row, games, surface, 1];
  return games === null && surface === null ? row : [...row, games, surface];
}

export function unpackGame(eventId: number, packed: PackedGame): CountedGame {
  const [seasonId, startsAt, duration, first, second, scores, winner, beyond, neutral, ...more] = packed;
  const [games = null, surface = null, playoff] = more;
  return {
    eventId,
    seasonId,
    startsAt,
    endedAt: startsAt + duration,
    sides: [first, second],
    scores,
    winner,
    beyond,
    neutral: neutral === 1,
    games,
    surface,
    ...(playoff ? { isPlayoff: true as const } : {}),
  };
}

export type PackedKnowledgeTimes = readonly [recorded: number, further: number, observed: number, further: number];
type PackedText = readonly [
  counts: 0 | 1,
  game: PackedGame,
  known: PackedKnowledgeTimes,
  box?: readonly [stats: AveragedSides, known: PackedKnowledgeTimes],
];

/** The second time of a span is stored as the difference from the first, which is mostly 0. */
export const packKnowledgeTimes = ({ recorded, observed }: KnowledgeTimes): PackedKnowledgeTimes => [
  recorded[0],
  recorded[1] - recorded[0],
  observed[0],
  observed[1] - observed[0],
];
export const unpackKnowledgeTimes = ([
  recorded,
  recordedDelay,
  observed,
  observedDelay,
]: PackedKnowledgeTimes): KnowledgeTimes => ({
  recorded: [recorded, recorded + recordedDelay],
  observed: [observed, observed + observedDelay],
});

/** A row as tables store it: as text, because a table of thousands of rows is written again for each new one. */
export function serializeGameRow({ game, counts, ...times }: PackedRow): string {
  const packed: PackedText = [counts ? 1 : 0, game, packKnowledgeTimes(times)];
  return JSON.stringify(packed);
}

/** Appends the statistics of the sides to a row. @param stats `AveragedSides` as JSON */
export const appendBoxToRow = (row: string, stats: string, times: PackedKnowledgeTimes): string =>
  `${row.slice(0, -1)},[${stats},[${times.join()}]]]`;

/** Parses a row without statistics. */
export function parseGameRow(text: string): PackedRow {
  const [counts, game, times] = JSON.parse(text) as PackedText;
  return { game, counts: counts === 1, ...unpackKnowledgeTimes(times) };
}

/** @param rows row texts by event id @returns newest first: by start, then by event id */
export function parseGameRows(rows: Readonly<Record<string, string>>): GameRow[] {
  const packed = JSON.parse(`[${Object.values(rows).join(',')}]`) as PackedText[];
  const parsed = Object.keys(rows).map((key, index): GameRow => {
    const [counts, game, times, box] = packed[index]!;
    const row = { game: unpackGame(Number(key), game), counts: counts === 1, ...unpackKnowledgeTimes(times) };
    return box ? { ...row, box: { stats: box[0], ...unpackKnowledgeTimes(box[1]) } } : row;
  });
  return parsed.sort(compareNewestFirst);
}

/** Sorts by start, then by id, both descending. */
export const compareNewestFirst = (
  { game: a }: { readonly game: CountedGame },
  { game: b }: { readonly game: CountedGame },
): number => b.startsAt - a.startsAt || b.eventId - a.eventId;
