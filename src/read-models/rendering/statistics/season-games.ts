import type { PlayedIn } from '../../../domain/catalogue/game-rules.ts';
import type { Span } from '../../../domain/observations/knowledge-times.ts';
import type { CountedGame } from '../../../domain/statistics/counted-game.ts';
import type { GameRow } from '../../../domain/statistics/game-row.ts';
import {
  countInto,
  newTally,
  type Outcome,
  rankOf,
  recordOfTally,
  type StandingRules,
  sideGameOf,
  standingRulesOf,
  type Tally,
  type TeamRecord,
} from './standings.ts';

/** The result of a game for one of its sides. */
interface SideResult {
  readonly outcome: Outcome;
  readonly points: number;
  /** The game went beyond regulation. */
  readonly beyond: boolean;
  readonly scored: number;
  readonly conceded: number;
}

/** The games of a season, newest first, in columns. Each answer scans all of them; objects scattered in memory would
 *  take milliseconds. */
export interface SeasonGames {
  readonly standing: StandingRules;
  readonly length: number;
  readonly eventIds: Float64Array;
  readonly seasonIds: Float64Array;
  readonly startsAt: Float64Array;
  readonly endedAt: Float64Array;
  /** 0: the game was counted before and is no longer. */
  readonly isCounted: Uint8Array;
  /** Ids of the sides; the columns of both sides hold indexes into this list. */
  readonly ids: readonly number[];
  readonly sides: readonly [SideColumns, SideColumns];
  readonly recorded: SpanColumns;
  readonly observed: SpanColumns;
}
interface SideColumns {
  readonly idIndexes: Uint32Array;
  readonly outcomes: readonly Outcome[];
  readonly points: Float64Array;
  readonly scores: Float64Array;
  readonly beyond: Uint8Array;
}
type SpanColumns = readonly [from: Float64Array, asNow: Float64Array];

/** @param rows newest first */
export function seasonGames(game: PlayedIn, rows: readonly GameRow[]): SeasonGames {
  const standing = standingRulesOf(game);
  const column = (of: (row: GameRow) => number) => Float64Array.from(rows, of);
  const spans = (of: (row: GameRow) => Span): SpanColumns => [column((row) => of(row)[0]), column((row) => of(row)[1])];
  const ids = [...new Set(rows.flatMap(({ game }) => game.sides))];
  const placeOf = new Map(ids.map((id, place) => [id, place]));
  const columnsOf = (side: 0 | 1): SideColumns => {
    const results = rows.map(({ game }) => resultOf(standing, game, side));
    return {
      idIndexes: Uint32Array.from(rows, ({ game }) => placeOf.get(game.sides[side])!),
      outcomes: results.map(({ outcome }) => outcome),
      points: Float64Array.from(results, ({ points }) => points),
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
    isCounted: Uint8Array.from(rows, ({ counts }) => (counts ? 1 : 0)),
    ids,
    sides: [columnsOf(0), columnsOf(1)],
    recorded: spans(({ recorded }) => recorded),
    observed: spans(({ observed }) => observed),
  };
}

/** Estimated memory of the columns. */
export const bytesOfSeason = ({ length, ids }: SeasonGames): number => 2000 + 140 * length + 60 * ids.length;

function resultOf(standing: StandingRules, game: CountedGame, side: 0 | 1): SideResult {
  const own = sideGameOf(game, game.sides[side]);
  return {
    outcome: standing.outcome(own),
    points: standing.pointsOf(own),
    beyond: game.beyond !== null,
    scored: own.scored ?? 0,
    conceded: own.conceded ?? 0,
  };
}

/** The records of all sides of a season over some of its games. */
export interface SeasonRecords {
  readonly standing: StandingRules;
  readonly records: ReadonlyMap<number, TeamRecord>;
  /** Null without a game. */
  readonly rank: (id: number) => number | null;
  readonly games: number;
  /** By all sides together. */
  readonly scored: number;
}

/** Counts games of a season into records. */
interface SeasonTally {
  /** Adds the game of this row. */
  addRow(addRow: number): void;
  /** Adds a game that has no row, or that differs from its row. */
  addGame(addGame: CountedGame): void;
  records(): SeasonRecords;
}

export function tallySeason({ standing, ids, sides }: SeasonGames): SeasonTally {
  const tallies: Tally[] = ids.map(newTally);
  const others = new Map<number, Tally>();
  const placeOf = new Map(ids.map((id, place) => [id, place]));
  const [first, second] = sides;

  function countSide(own: SideColumns, other: SideColumns, row: number): void {
    const tally = tallies[own.idIndexes[row]!]!;
    countInto(tally, own.outcomes[row]!, own.points[row]!, own.beyond[row] === 1, own.scores[row]!, other.scores[row]!);
  }

  function tallyOf(id: number): Tally {
    const place = placeOf.get(id);
    if (place !== undefined) return tallies[place]!;
    const tally = others.get(id) ?? newTally();
    others.set(id, tally);
    return tally;
  }

  return {
    addRow(row) {
      countSide(first, second, row);
      countSide(second, first, row);
    },
    addGame(game) {
      for (const side of [0, 1] as const) {
        const { outcome, points, beyond, scored, conceded } = resultOf(standing, game, side);
        countInto(tallyOf(game.sides[side]), outcome, points, beyond, scored, conceded);
      }
    },
    records() {
      const all = [...ids.map((id, place) => [id, tallies[place]!] as const), ...others];
      const played = all.filter(([, { games }]) => games > 0);
      const records = new Map(played.map(([id, tally]) => [id, recordOfTally(standing, tally)]));
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
