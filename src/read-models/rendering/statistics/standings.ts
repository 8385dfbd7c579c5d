import type { CountedGame, SideIndex } from '../../../domain/statistics/counted-game.ts';

export type Outcome = 'W' | 'D' | 'L' | 'T';

/** How the games of a sport are counted into standings. */
export interface StandingRules {
  /** How a game ended for its side. */
  readonly outcome: (own: SideGame) => Outcome;
  /** What it is worth: points, or the part of a win. */
  readonly pointsOf: (own: SideGame) => number;
  /** The most that a game is worth, where the strength is a share of it; null: strength is the mean. */
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

export function standingRulesOf(sport: string): StandingRules {
  if (sport === 'soccer') return soccer;
  if (sport === 'nhl') return hockey;
  return sport === 'tennis' ? tennis : wins;
}

/** What a side has done in some games. */
export interface TeamRecord {
  readonly games: number;
  readonly w: number;
  /** Drawn, or tied. */
  readonly d: number;
  readonly l: number;
  /** Of those lost, after overtime or by a shootout. */
  readonly otl: number;
  /** Sum of what each was worth. */
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

/** A record on its way, game by game. */
export type Tally = { -readonly [name in Exclude<keyof TeamRecord, 'strength'>]: number };

export const newTally = (): Tally => ({ games: 0, w: 0, d: 0, l: 0, otl: 0, worth: 0, scored: 0, conceded: 0 });

/** Counts a game into `tally`; by values, for seasons have thousands. @param isBeyond its regular time */
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

/** Soccer's tables go by points, all others by the share of what could be won; then by goals. */
const ranksBelow = (standing: StandingRules, a: TeamRecord, b: TeamRecord): boolean => {
  const first = standing.maxPoints === null ? b.worth - a.worth : b.strength! - a.strength!;
  return (first || b.scored - b.conceded - (a.scored - a.conceded) || b.scored - a.scored) > 0;
};

/** The place of a record among those of all that have a game; equal ones share the better one. Null without a game. */
export function rankOf(standing: StandingRules, own: TeamRecord, all: readonly TeamRecord[]): number | null {
  if (own.games === 0) return null;
  return 1 + all.filter((other) => other.games > 0 && ranksBelow(standing, own, other)).length;
}

/** A game as one of its sides sees it. */
export interface SideGame {
  readonly game: CountedGame;
  readonly side: SideIndex;
  readonly opponent: number;
  /** What it has scored, and what the other has; null where that is not stated. */
  readonly scored: number | null;
  readonly conceded: number | null;
}

export function sideGameOf(game: CountedGame, id: number): SideGame {
  const side: SideIndex = game.sides[0] === id ? 0 : 1;
  const other = side === 0 ? 1 : 0;
  return {
    ...{ game, side, opponent: game.sides[other] },
    scored: game.scores?.[side] ?? null,
    conceded: game.scores?.[other] ?? null,
  };
}
