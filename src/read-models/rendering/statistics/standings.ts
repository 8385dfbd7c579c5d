import { playsLike } from '../../../domain/catalogue/added-leagues.ts';
import { gameRulesOf, type PlayedIn } from '../../../domain/catalogue/game-rules.ts';
import { resultWorthOf, worthOf } from '../../../domain/standings/result-worth.ts';
import type { CountedGame, SideIndex } from '../../../domain/statistics/counted-game.ts';

export type Outcome = 'W' | 'D' | 'L' | 'T';

/** How the games of a sport count in standings. */
export interface StandingRules {
  /** How a game ended for its side. */
  readonly outcome: (own: SideGame) => Outcome;
  /** Value of a game: points, or the share of a win. */
  readonly pointsOf: (own: SideGame) => number;
  /** The maximum value of a game if strength is a share of it; null if strength is the mean. */
  readonly maxPoints: number | null;
}

const byScore = ({ scored, conceded }: SideGame, even: Outcome): Outcome =>
  scored === conceded ? even : scored! > conceded! ? 'W' : 'L';
const byWinner = (own: SideGame): Outcome =>
  own.game.winner === null ? byScore(own, 'T') : own.game.winner === own.side ? 'W' : 'L';

const SOCCER_POINTS: Readonly<Record<Outcome, number>> = { W: 3, D: 1, T: 1, L: 0 };
const SHARES: Readonly<Record<Outcome, number>> = { W: 1, D: 0.5, T: 0.5, L: 0 };

const soccer: StandingRules = {
  outcome: (own) => byScore(own, 'D'),
  pointsOf: (own) => SOCCER_POINTS[byScore(own, 'D')],
  maxPoints: null,
};
/** Whoever wins after regular time has won. */
const soccerWithoutDraws: StandingRules = {
  outcome: byWinner,
  pointsOf: (own) => SOCCER_POINTS[byWinner(own)],
  maxPoints: null,
};
const hockey: StandingRules = {
  outcome: byWinner,
  pointsOf: (own) => {
    const outcome = byWinner(own);
    if (outcome === 'W') return 2;
    return own.game.beyond !== null || outcome === 'T' ? 1 : 0;
  },
  maxPoints: 2,
};
const wins: StandingRules = {
  outcome: (own) => byScore(own, 'T'),
  pointsOf: (own) => SHARES[byScore(own, 'T')],
  maxPoints: 1,
};
const tennis: StandingRules = { outcome: byWinner, pointsOf: (own) => SHARES[byWinner(own)], maxPoints: 1 };

export function standingRulesOf(game: PlayedIn): StandingRules {
  const usual = usualRulesOf(game);
  if (gameRulesOf(game).points === null) return usual;
  const worth = resultWorthOf(game);
  const { outcome, maxPoints } = usual;
  const pointsOf = (own: SideGame) => {
    const ended = outcome(own);
    return worthOf(ended === 'T' ? 'D' : ended, own.game.beyond !== null, worth);
  };
  return { outcome, pointsOf, maxPoints: maxPoints && worth.win };
}

function usualRulesOf(game: PlayedIn): StandingRules {
  const sport = playsLike(game.sport);
  if (sport === 'soccer') return gameRulesOf(game).draws ? soccer : soccerWithoutDraws;
  if (sport === 'nhl') return hockey;
  return sport === 'tennis' ? tennis : wins;
}

/** A side's results over some games. */
export interface TeamRecord {
  readonly games: number;
  readonly w: number;
  /** Drawn, or tied. */
  readonly d: number;
  readonly l: number;
  /** Losses after overtime or by a shootout, included in `l`. */
  readonly otl: number;
  /** Sum of the values of the games. */
  readonly worth: number;
  /** From 0; not rounded. Null without a game. */
  readonly strength: number | null;
  readonly scored: number;
  readonly conceded: number;
}

export function recordOf(standing: StandingRules, games: readonly SideGame[]): TeamRecord {
  const tally = newTally();
  for (const own of games) {
    const isBeyond = own.game.beyond !== null;
    countInto(tally, standing.outcome(own), standing.pointsOf(own), isBeyond, own.scored ?? 0, own.conceded ?? 0);
  }
  return recordOfTally(standing, tally);
}

/** A record that is still being counted. */
export type Tally = { -readonly [name in Exclude<keyof TeamRecord, 'strength'>]: number };

export const newTally = (): Tally => ({ games: 0, w: 0, d: 0, l: 0, otl: 0, worth: 0, scored: 0, conceded: 0 });

/** Counts a game into `tally`. Takes plain values, because seasons have thousands of games. @param isBeyond whether the
 *  game went beyond regulation */
export function countInto(
  tally: Tally,
  outcome: Outcome,
  worth: number,
  isBeyond: boolean,
  scored: number,
  conceded: number,
): void {
  tally.games++;
  if (outcome === 'W') tally.w++;
  else if (outcome === 'L') tally.l++;
  else tally.d++;
  if (outcome === 'L' && isBeyond) tally.otl++;
  tally.worth += worth;
  tally.scored += scored;
  tally.conceded += conceded;
}

export const recordOfTally = ({ maxPoints }: StandingRules, tally: Tally): TeamRecord => ({
  ...tally,
  strength: tally.games === 0 ? null : tally.worth / (tally.games * (maxPoints ?? 1)),
});

/** Soccer tables are ordered by points, all others by the share of possible wins; then by goals. */
const ranksBelow = (standing: StandingRules, a: TeamRecord, b: TeamRecord): boolean => {
  const first = standing.maxPoints === null ? b.worth - a.worth : b.strength! - a.strength!;
  return (first || b.scored - b.conceded - (a.scored - a.conceded) || b.scored - a.scored) > 0;
};

/** Rank of a record among those of all sides that have a game; equal records share the better rank. Null without a
 *  game. */
export function rankOf(standing: StandingRules, own: TeamRecord, all: readonly TeamRecord[]): number | null {
  if (own.games === 0) return null;
  return 1 + all.filter((other) => other.games > 0 && ranksBelow(standing, own, other)).length;
}

/** A game from the view of one of its sides. */
export interface SideGame {
  readonly game: CountedGame;
  readonly side: SideIndex;
  readonly opponent: number;
  /** Own score and the other side's; null if not stated. */
  readonly scored: number | null;
  readonly conceded: number | null;
}

export function sideGameOf(game: CountedGame, id: number): SideGame {
  const side: SideIndex = game.sides[0] === id ? 0 : 1;
  const other = side === 0 ? 1 : 0;
  return {
    game,
    side,
    opponent: game.sides[other],
    scored: game.scores?.[side] ?? null,
    conceded: game.scores?.[other] ?? null,
  };
}
