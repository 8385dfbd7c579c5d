import type { KnowledgeTimes } from '../observations/knowledge-times.ts';
import type { AveragedSides } from './averaged-box.ts';
import type { CountedGame, SideIndex } from './counted-game.ts';

/** A game without the names of its members. */
export type PackedGame = readonly [
  seasonId: number,
  startsAt: number,
  /** After its start; milliseconds. */
  lasted: number,
  first: number,
  second: number,
  scores: readonly [number, number] | null,
  winner: SideIndex | null,
  beyond: CountedGame['beyond'],
  neutral: 0 | 1,
  games?: readonly [number, number] | null,
  surface?: string | null,
];

/** A game as its text has it. */
interface PackedRow extends KnowledgeTimes {
  readonly game: PackedGame;
  /** False: it counted once, and does no more. */
  readonly counts: boolean;
}

/** What the boxes of both sides state of a game, and since when. */
interface AveragedBox extends KnowledgeTimes {
  readonly stats: AveragedSides;
}

/** A game as it is read from a table, which may know what its sides did in it. */
export interface GameRow extends KnowledgeTimes {
  readonly game: CountedGame;
  readonly counts: boolean;
  readonly box?: AveragedBox;
}

export function packGame(game: CountedGame): PackedGame {
  const { seasonId, startsAt, endedAt, sides, scores, winner, beyond, neutral, games, surface } = game;
  const lasted = endedAt - startsAt;
  const row = [seasonId, startsAt, lasted, sides[0], sides[1], scores, winner, beyond, neutral ? 1 : 0] as const;
  return games === null && surface === null ? row : [...row, games, surface];
}

export function unpackGame(eventId: number, packed: PackedGame): CountedGame {
  const [seasonId, startsAt, lasted, first, second, scores, winner, beyond, neutral, games = null, surface = null] =
    packed;
  return {
    eventId,
    seasonId,
    startsAt,
    endedAt: startsAt + lasted,
    sides: [first, second],
    scores,
    winner,
    beyond,
    neutral: neutral === 1,
    games,
    surface,
  };
}

export type PackedKnowledgeTimes = readonly [recorded: number, further: number, observed: number, further: number];
type PackedText = readonly [
  counts: 0 | 1,
  game: PackedGame,
  known: PackedKnowledgeTimes,
  box?: readonly [stats: AveragedSides, known: PackedKnowledgeTimes],
];

/** The second time of a span mostly is the first one, and stands as what it is later. */
export const packKnowledgeTimes = ({ recorded, observed }: KnowledgeTimes): PackedKnowledgeTimes => [
  recorded[0],
  recorded[1] - recorded[0],
  observed[0],
  observed[1] - observed[0],
];
export const unpackKnowledgeTimes = ([recorded, unlike, observed, later]: PackedKnowledgeTimes): KnowledgeTimes => ({
  recorded: [recorded, recorded + unlike],
  observed: [observed, observed + later],
});

/** A row as tables hold it: a text, since a table of thousands is written again with each of them. */
export function serializeGameRow({ game, counts, ...known }: PackedRow): string {
  const packed: PackedText = [counts ? 1 : 0, game, packKnowledgeTimes(known)];
  return JSON.stringify(packed);
}

/** The same row with what the sides did. @param stats `RatedSides` as JSON */
export const appendBoxToRow = (row: string, stats: string, known: PackedKnowledgeTimes): string =>
  `${row.slice(0, -1)},[${stats},[${known.join()}]]]`;

/** What a text without box tells. */
export function parseGameRow(text: string): PackedRow {
  const [counts, game, known] = JSON.parse(text) as PackedText;
  return { game, counts: counts === 1, ...unpackKnowledgeTimes(known) };
}

/** @param rows texts by event id @returns newest first: by start, then by event id */
export function parseGameRows(rows: Readonly<Record<string, string>>): GameRow[] {
  const packed = JSON.parse(`[${Object.values(rows).join(',')}]`) as PackedText[];
  const read = Object.keys(rows).map((key, index): GameRow => {
    const [counts, game, known, box] = packed[index]!;
    const row = { game: unpackGame(Number(key), game), counts: counts === 1, ...unpackKnowledgeTimes(known) };
    return box ? { ...row, box: { stats: box[0], ...unpackKnowledgeTimes(box[1]) } } : row;
  });
  return read.sort(compareNewestFirst);
}

/** By start, then by id, both descending. */
export const compareNewestFirst = (
  { game: a }: { readonly game: CountedGame },
  { game: b }: { readonly game: CountedGame },
): number => b.startsAt - a.startsAt || b.eventId - a.eventId;
