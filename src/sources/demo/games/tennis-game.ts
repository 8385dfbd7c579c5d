import { lazy, type Pair } from '../simulation/chances.ts';
import type { Moment, SideScore } from '../simulation/game-moment.ts';
import { isSetOver, type TennisState, tennisModel } from '../simulation/tennis-model.ts';
import type { SimulateGame } from './game-simulator.ts';

interface Tour {
  /** Probability that an average player wins a point on serve, and its change per unit of strength. */
  readonly onServe: number;
  readonly strength: number;
}

/** Seconds of a point with the pause after it, of the pause at a change of ends, and of the pause after a set. */
const POINT_SECONDS = 38;
const CHANGE_SECONDS = 75;
const SET_SECONDS = 110;
const NAMES = ['0', '15', '30', '40'];

interface SetScore {
  readonly games: [number, number];
  tieBreak?: Pair;
}

/** Tennis: best of three sets. */
const play =
  (tour: Tour): SimulateGame =>
  ({ strengths }, random) => {
    const onServeWith = (gap: number): Pair => [
      tour.onServe + (tour.strength * gap) / 2,
      tour.onServe - (tour.strength * gap) / 2,
    ];
    const gap = strengths[0] - strengths[1];
    const onServe = onServeWith(gap);
    const model = tennisModel(onServe);
    const sets: SetScore[] = [];
    const won: [number, number] = [0, 0];
    const moments: Moment[] = [];
    let server = random.index(2) as 0 | 1;
    let second = 0;

    function sides(points: readonly [string, string] | null, winner?: 0 | 1): readonly [SideScore, SideScore] {
      const side = (own: 0 | 1): SideScore => ({
        score: sets.map(({ games }) => games[own]).join(' '),
        period_scores: sets.map(({ games, tieBreak }, index) => ({
          period: `S${index + 1}`,
          score: games[own],
          ...(tieBreak ? { tiebreak: tieBreak[own] } : {}),
        })),
        ...(points ? { game_score: points[own] } : {}),
        ...(winner === undefined ? {} : { is_winner: winner === own }),
      });
      return [side(0), side(1)];
    }

    /** @param points of the first and of the second player, as displayed @param played points of the server and of the
     *  other */
    function addMoment(points: readonly [string, string], played: Pair, isKeyEvent = false): void {
      const over = sets.slice(0, -1);
      const state: TennisState = {
        sets: [won[0], won[1]],
        games: [...sets.at(-1)!.games],
        gamesBefore: [
          over.reduce((sum, { games }) => sum + games[0], 0),
          over.reduce((sum, { games }) => sum + games[1], 0),
        ],
        server,
        points: played,
      };
      moments.push({
        second,
        score: { status: 'inprogress', period: `Set ${sets.length}`, sides: sides(points) },
        chances: lazy(() => model(state)),
        ...(isKeyEvent ? { isKeyEvent } : {}),
      });
    }

    const point = (): 0 | 1 => {
      second += POINT_SECONDS * random.between(0.6, 1.5);
      return random.chance(onServe[server]) ? server : server === 0 ? 1 : 0;
    };

    /** @returns the winner of the game */
    function playGame(): 0 | 1 {
      const points: [number, number] = [0, 0];
      for (let count = 1; ; count++) {
        points[point()]++;
        const lead = points[0] - points[1];
        if (Math.max(...points) >= 4 && Math.abs(lead) >= 2) return lead > 0 ? 0 : 1;
        const played: Pair = server === 0 ? points : [points[1], points[0]];
        // Every second point has a message, and every point from deuce on.
        if (count % 2 === 0 || Math.min(...points) >= 3) addMoment(pointNames(points), [...played]);
      }
    }

    function playTieBreak(set: SetScore): 0 | 1 {
      const points: [number, number] = [0, 0];
      const first = server;
      for (let count = 1; ; count++) {
        points[point()]++;
        const lead = points[0] - points[1];
        if (Math.max(...points) >= 7 && Math.abs(lead) >= 2) {
          set.tieBreak = [...points];
          server = first;
          return lead > 0 ? 0 : 1;
        }
        if (count % 2 === 1) server = server === 0 ? 1 : 0;
        if (count % 3 === 0) addMoment([String(points[0]), String(points[1])], [0, 0]);
      }
    }

    while (Math.max(...won) < 2) {
      const set: SetScore = { games: [0, 0] };
      sets.push(set);
      addMoment(['0', '0'], [0, 0]);
      while (!isSetOver(set.games)) {
        const isTie = set.games[0] === 6 && set.games[1] === 6;
        const winner = isTie ? playTieBreak(set) : playGame();
        const isBreak = winner !== server;
        set.games[winner]++;
        server = server === 0 ? 1 : 0;
        if (isSetOver(set.games)) won[winner]++;
        else addMoment(['0', '0'], [0, 0], isBreak);
        if ((set.games[0] + set.games[1]) % 2 === 1) second += CHANGE_SECONDS;
      }
      second += SET_SECONDS;
    }
    const winner = won[0] > won[1] ? 0 : 1;
    const score = { status: 'final', period: `Set ${sets.length}`, result_type: 'regulation' } as const;
    moments.push({ second: second - SET_SECONDS + 20, score: { ...score, sides: sides(null, winner) }, chances: null });
    const begins: TennisState = { sets: [0, 0], games: [0, 0], gamesBefore: [0, 0], server: 0, points: [0, 0] };
    return { before: (shift) => tennisModel(onServeWith(gap + shift))(begins), moments };
  };

/** Points as displayed, such as `40` and `AD`. */
function pointNames([a, b]: Pair): readonly [string, string] {
  if (a >= 3 && b >= 3) return a === b ? ['40', '40'] : a > b ? ['AD', '40'] : ['40', 'AD'];
  return [NAMES[a]!, NAMES[b]!];
}

export const playAtp: SimulateGame = play({ onServe: 0.645, strength: 0.036 });
export const playWta: SimulateGame = play({ onServe: 0.565, strength: 0.04 });
