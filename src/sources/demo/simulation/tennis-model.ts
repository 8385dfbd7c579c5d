import { type Chances, lazy, type Pair } from './chances.ts';
import { fromDistributions } from './poisson-model.ts';

/** State of a match, from the first player's view. */
export interface TennisState {
  readonly sets: Pair;
  /** Games of the current set. */
  readonly games: Pair;
  /** Games of all finished sets. */
  readonly gamesBefore: Pair;
  /** 0 when the first player serves. */
  readonly server: 0 | 1;
  /** Points of the current game: of the server and of the other. */
  readonly points: Pair;
}

/** Probability of winning a game on serve from a score, if each point is won with probability `p`. */
function holds(p: number, [own, other]: Pair): number {
  if (own >= 4 && own >= other + 2) return 1;
  if (other >= 4 && other >= own + 2) return 0;
  // From deuce on: two points in a row before the other wins two.
  if (own >= 3 && other >= 3) {
    const deuce = (p * p) / (p * p + (1 - p) * (1 - p));
    return own === other ? deuce : own > other ? p + (1 - p) * deuce : p * deuce;
  }
  return p * holds(p, [own + 1, other]) + (1 - p) * holds(p, [own, other + 1]);
}

/** Final games of a set, with the probability of this result. */
interface SetEnd {
  readonly games: Pair;
  readonly probability: number;
}

/**
 * A match as a chain of games, each won on serve with a constant probability (A. J. O'Malley, "Probability formulas and
 * statistical analysis in tennis", 2008). Best of three sets, tie-breaks at six all.
 * @param onServe probability of each player to win a point on the own serve
 */
export function tennisModel(onServe: Pair): (state: TennisState) => Chances {
  const hold: Pair = [holds(onServe[0], [0, 0]), holds(onServe[1], [0, 0])];
  const tieBreak = raceToSeven((onServe[0] + 1 - onServe[1]) / 2);
  // It hardly matters who serves first in a later set.
  const freshSet = lazy(() => setEnds([0, 0], 0, hold[0]));

  function setEnds([a, b]: Pair, server: 0 | 1, firstGame: number): SetEnd[] {
    const ends = new Map<string, { games: Pair; probability: number }>();
    let layer = new Map<string, { games: Pair; probability: number }>([['', { games: [a, b], probability: 1 }]]);
    let serves = server;
    let wins = firstGame;
    while (layer.size > 0) {
      const next = new Map<string, { games: Pair; probability: number }>();
      for (const { games, probability } of layer.values()) {
        const isTie = games[0] === 6 && games[1] === 6;
        const win = isTie ? tieBreak : wins;
        for (const [won, share] of [
          [[games[0] + 1, games[1]] as const, win],
          [[games[0], games[1] + 1] as const, 1 - win],
        ] as const) {
          const target = isTie || isSetOver(won) ? ends : next;
          const key = won.join('-');
          const sum = (target.get(key)?.probability ?? 0) + probability * share;
          target.set(key, { games: won, probability: sum });
        }
      }
      layer = next;
      serves = serves === 0 ? 1 : 0;
      wins = serves === 0 ? hold[0] : 1 - hold[1];
    }
    return [...ends.values()];
  }

  return ({ sets, games, gamesBefore, server, points }) => {
    const firstGame = server === 0 ? holds(onServe[0], points) : 1 - holds(onServe[1], points);
    const margins = new Array<number>(81).fill(0);
    const totals = new Array<number>(100).fill(0);
    let wins = 0;
    const walk = (won: Pair, played: Pair, probability: number, ends: readonly SetEnd[]): void => {
      for (const end of ends) {
        const share = probability * end.probability;
        if (share < 1e-7) continue;
        const all: Pair = [played[0] + end.games[0], played[1] + end.games[1]];
        const first = end.games[0] > end.games[1];
        const after: Pair = [won[0] + (first ? 1 : 0), won[1] + (first ? 0 : 1)];
        if (after[0] < 2 && after[1] < 2) {
          walk(after, all, share, freshSet());
          continue;
        }
        if (after[0] === 2) wins += share;
        margins[all[0] - all[1] + 40]! += share;
        totals[all[0] + all[1]]! += share;
      }
    };
    walk(sets, gamesBefore, 1, setEnds(games, server, firstGame));
    return { ...fromDistributions(margins, totals, { leastSpread: 1.5, draws: false }), win: [wins, 1 - wins] };
  };
}

export const isSetOver = ([a, b]: Pair): boolean =>
  (Math.max(a, b) >= 6 && Math.abs(a - b) >= 2) || Math.max(a, b) === 7;

/** Probability of winning a tie-break: first to seven, two ahead. */
function raceToSeven(p: number): number {
  const memo = new Map<number, number>();
  const from = (a: number, b: number): number => {
    if (a >= 6 && b >= 6) {
      const deuce = (p * p) / (p * p + (1 - p) * (1 - p));
      return a === b ? deuce : a > b ? p + (1 - p) * deuce : p * deuce;
    }
    if (a === 7) return 1;
    if (b === 7) return 0;
    const key = a * 10 + b;
    const known = memo.get(key);
    if (known !== undefined) return known;
    const value = p * from(a + 1, b) + (1 - p) * from(a, b + 1);
    memo.set(key, value);
    return value;
  };
  return from(0, 0);
}
