import type { KnownSince } from '../known-since.ts';
import type { Game, Side } from './game.ts';
import type { RatedSides } from './rated-box.ts';

/** A game without the names of its members. */
export type PackedGame = readonly [
  seasonId: number,
  startsAt: number,
  /** After its start; milliseconds. */
  lasted: number,
  first: number,
  second: number,
  scores: readonly [number, number] | null,
  winner: Side | null,
  beyond: Game['beyond'],
  neutral: 0 | 1,
  games?: readonly [number, number] | null,
  surface?: string | null,
];

/** A game as its text has it. */
export interface PackedRow extends KnownSince {
  readonly game: PackedGame;
  /** False: it counted once, and does no more. */
  readonly counts: boolean;
}

/** What the boxes of both sides state of a game, and since when. */
interface RatedBox extends KnownSince {
  readonly stats: RatedSides;
}

/** A game as it is read from a table, which may know what its sides did in it. */
export interface GameRow extends KnownSince {
  readonly game: Game;
  readonly counts: boolean;
  readonly box?: RatedBox;
}

export function packGame(game: Game): PackedGame {
  const { seasonId, startsAt, endedAt, sides, scores, winner, beyond, neutral, games, surface } = game;
  const lasted = endedAt - startsAt;
  const row = [seasonId, startsAt, lasted, sides[0], sides[1], scores, winner, beyond, neutral ? 1 : 0] as const;
  return games === null && surface === null ? row : [...row, games, surface];
}

export function unpackGame(eventId: number, packed: PackedGame): Game {
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

export type PackedKnown = readonly [recorded: number, further: number, observed: number, further: number];
type PackedText = readonly [
  counts: 0 | 1,
  game: PackedGame,
  known: PackedKnown,
  box?: readonly [stats: RatedSides, known: PackedKnown],
];

/** The second time of a span mostly is the first one, and stands as what it is later. */
export const packKnown = ({ recorded, observed }: KnownSince): PackedKnown => [
  recorded[0],
  recorded[1] - recorded[0],
  observed[0],
  observed[1] - observed[0],
];
export const unpackKnown = ([recorded, unlike, observed, later]: PackedKnown): KnownSince => ({
  recorded: [recorded, recorded + unlike],
  observed: [observed, observed + later],
});

/** A row as tables hold it: a text, since a table of thousands is written again with each of them. */
export function rowText({ game, counts, ...known }: PackedRow): string {
  const packed: PackedText = [counts ? 1 : 0, game, packKnown(known)];
  return JSON.stringify(packed);
}

/** The same row with what the sides did. @param stats `RatedSides` as JSON */
export const playedText = (row: string, stats: string, known: PackedKnown): string =>
  `${row.slice(0, -1)},[${stats},[${known.join()}]]]`;

/** What a text without box tells. */
export function readRow(text: string): PackedRow {
  const [counts, game, known] = JSON.parse(text) as PackedText;
  return { game, counts: counts === 1, ...unpackKnown(known) };
}

/** @param rows texts by event id @returns newest first: by start, then by event id */
export function readRows(rows: Readonly<Record<string, string>>): GameRow[] {
  const packed = JSON.parse(`[${Object.values(rows).join(',')}]`) as PackedText[];
  const read = Object.keys(rows).map((key, index): GameRow => {
    const [counts, game, known, box] = packed[index]!;
    const row = { game: unpackGame(Number(key), game), counts: counts === 1, ...unpackKnown(known) };
    return box ? { ...row, box: { stats: box[0], ...unpackKnown(box[1]) } } : row;
  });
  return read.sort(newestFirst);
}

/** By start, then by id, both descending. */
export const newestFirst = ({ game: a }: { readonly game: Game }, { game: b }: { readonly game: Game }): number =>
  b.startsAt - a.startsAt || b.eventId - a.eventId;
