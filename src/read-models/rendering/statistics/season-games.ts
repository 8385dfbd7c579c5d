import type { Span } from '../../../domain/known-since.ts';
import type { Game } from '../../../domain/statistics/game.ts';
import type { GameRow } from '../../../domain/statistics/game-row.ts';
import { ownGame } from './own-game.ts';
import {
  countInto,
  newTally,
  type Outcome,
  rankOf,
  recordIn,
  type Standing,
  standingOf,
  type Tally,
  type TeamRecord,
} from './records.ts';

/** What a game came to for one of its sides. */
export interface Result {
  readonly outcome: Outcome;
  readonly worth: number;
  /** It went beyond its regular time. */
  readonly beyond: boolean;
  readonly scored: number;
  readonly conceded: number;
}

/**
 * The games of a season, newest first, in columns: all of them are gone through for each answer, which objects that lie
 * all over the memory make a matter of milliseconds.
 */
export interface SeasonGames {
  readonly standing: Standing;
  readonly length: number;
  readonly eventIds: Float64Array;
  readonly seasonIds: Float64Array;
  readonly startsAt: Float64Array;
  readonly endedAt: Float64Array;
  /** 0: it counted once, and does no more. */
  readonly counts: Uint8Array;
  /** Ids of the sides; the columns of both name them by their places here. */
  readonly ids: readonly number[];
  readonly sides: readonly [SideColumns, SideColumns];
  readonly recorded: SpanColumns;
  readonly observed: SpanColumns;
}
interface SideColumns {
  readonly places: Uint32Array;
  readonly outcomes: readonly Outcome[];
  readonly worths: Float64Array;
  readonly scores: Float64Array;
  readonly beyond: Uint8Array;
}
type SpanColumns = readonly [from: Float64Array, asNow: Float64Array];

/** @param rows newest first */
export function seasonGames(sport: string, rows: readonly GameRow[]): SeasonGames {
  const standing = standingOf(sport);
  const column = (of: (row: GameRow) => number) => Float64Array.from(rows, of);
  const spans = (of: (row: GameRow) => Span): SpanColumns => [column((row) => of(row)[0]), column((row) => of(row)[1])];
  const ids = [...new Set(rows.flatMap(({ game }) => game.sides))];
  const placeOf = new Map(ids.map((id, place) => [id, place]));
  const columnsOf = (side: 0 | 1): SideColumns => {
    const results = rows.map(({ game }) => resultOf(standing, game, side));
    return {
      places: Uint32Array.from(rows, ({ game }) => placeOf.get(game.sides[side])!),
      outcomes: results.map(({ outcome }) => outcome),
      worths: Float64Array.from(results, ({ worth }) => worth),
      scores: Float64Array.from(results, ({ scored }) => scored),
      beyond: Uint8Array.from(results, ({ beyond }) => (beyond ? 1 : 0)),
    };
  };
  return {
    standing,
    length: rows.length,
    eventIds: column(({ game }) => game.eventId),
    seasonIds: column(({ game }) => game.seasonId),
    startsAt: column(({ game }) => game.startsAt),
    endedAt: column(({ game }) => game.endedAt),
    counts: Uint8Array.from(rows, ({ counts }) => (counts ? 1 : 0)),
    ids,
    sides: [columnsOf(0), columnsOf(1)],
    recorded: spans(({ recorded }) => recorded),
    observed: spans(({ observed }) => observed),
  };
}

/** About how much memory the columns take. */
export const bytesOfSeason = ({ length, ids }: SeasonGames): number => 2000 + 140 * length + 60 * ids.length;

function resultOf(standing: Standing, game: Game, side: 0 | 1): Result {
  const own = ownGame(game, game.sides[side]);
  return {
    outcome: standing.outcome(own),
    worth: standing.worth(own),
    beyond: game.beyond !== null,
    scored: own.scored ?? 0,
    conceded: own.conceded ?? 0,
  };
}

/** What every side of a season has done in some of its games. */
export interface SeasonRecords {
  readonly standing: Standing;
  readonly records: ReadonlyMap<number, TeamRecord>;
  /** Null without a game. */
  readonly rank: (id: number) => number | null;
  readonly games: number;
  /** By all sides together. */
  readonly scored: number;
}

/** Games of a season on their way into its records. */
export interface SeasonCount {
  /** The game in this row. */
  row(row: number): void;
  /** One that is not, or is not as it stands there. */
  game(game: Game): void;
  records(): SeasonRecords;
}

export function countSeason({ standing, ids, sides }: SeasonGames): SeasonCount {
  const tallies: Tally[] = ids.map(newTally);
  const others = new Map<number, Tally>();
  const placeOf = new Map(ids.map((id, place) => [id, place]));
  const [first, second] = sides;

  function countSide(own: SideColumns, other: SideColumns, row: number): void {
    const tally = tallies[own.places[row]!]!;
    countInto(tally, own.outcomes[row]!, own.worths[row]!, own.beyond[row] === 1, own.scores[row]!, other.scores[row]!);
  }

  function tallyOf(id: number): Tally {
    const place = placeOf.get(id);
    if (place !== undefined) return tallies[place]!;
    const tally = others.get(id) ?? newTally();
    others.set(id, tally);
    return tally;
  }

  return {
    row(row) {
      countSide(first, second, row);
      countSide(second, first, row);
    },
    game(game) {
      for (const side of [0, 1] as const) {
        const { outcome, worth, beyond, scored, conceded } = resultOf(standing, game, side);
        countInto(tallyOf(game.sides[side]), outcome, worth, beyond, scored, conceded);
      }
    },
    records() {
      const all = [...ids.map((id, place) => [id, tallies[place]!] as const), ...others];
      const played = all.filter(([, { games }]) => games > 0);
      const records = new Map(played.map(([id, tally]) => [id, recordIn(standing, tally)]));
      return {
        standing,
        records,
        rank: (id) => {
          const own = records.get(id);
          return own ? rankOf(standing, own, [...records.values()]) : null;
        },
        games: played.reduce((games, [, tally]) => games + tally.games, 0) / 2,
        scored: played.reduce((scored, [, tally]) => scored + tally.scored, 0),
      };
    },
  };
}
