import type { OwnGame } from './own-game.ts';

export type Outcome = 'W' | 'D' | 'L' | 'T';

/** How the games of a sport are counted into standings. */
export interface Standing {
  /** How a game ended for its side. */
  readonly outcome: (own: OwnGame) => Outcome;
  /** What it is worth: points, or the part of a win. */
  readonly worth: (own: OwnGame) => number;
  /** The most that a game is worth, where the strength is a share of it; null: strength is the mean. */
  readonly most: number | null;
}

const byScore = ({ scored, conceded }: OwnGame, even: Outcome): Outcome =>
  scored === conceded ? even : scored! > conceded! ? 'W' : 'L';
const byWinner = (own: OwnGame): Outcome =>
  own.game.winner === null ? byScore(own, 'T') : own.game.winner === own.side ? 'W' : 'L';

const SOCCER_POINTS: Readonly<Record<Outcome, number>> = { W: 3, D: 1, T: 1, L: 0 };
const SHARES: Readonly<Record<Outcome, number>> = { W: 1, D: 0.5, T: 0.5, L: 0 };

const soccer: Standing = {
  outcome: (own) => byScore(own, 'D'),
  worth: (own) => SOCCER_POINTS[byScore(own, 'D')],
  most: null,
};
const hockey: Standing = {
  outcome: byWinner,
  worth: (own) => {
    const outcome = byWinner(own);
    if (outcome === 'W') return 2;
    return own.game.beyond !== null || outcome === 'T' ? 1 : 0;
  },
  most: 2,
};
const wins: Standing = {
  outcome: (own) => byScore(own, 'T'),
  worth: (own) => SHARES[byScore(own, 'T')],
  most: 1,
};
const tennis: Standing = { outcome: byWinner, worth: (own) => SHARES[byWinner(own)], most: 1 };

export function standingOf(sport: string): Standing {
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

export function recordOf(standing: Standing, games: readonly OwnGame[]): TeamRecord {
  const tally = newTally();
  for (const own of games) {
    const isBeyond = own.game.beyond !== null;
    countInto(tally, standing.outcome(own), standing.worth(own), isBeyond, own.scored ?? 0, own.conceded ?? 0);
  }
  return recordIn(standing, tally);
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

export const recordIn = ({ most }: Standing, tally: Tally): TeamRecord => ({
  ...tally,
  strength: tally.games === 0 ? null : tally.worth / (tally.games * (most ?? 1)),
});

/** Soccer's tables go by points, all others by the share of what could be won; then by goals. */
const isBehind = (standing: Standing, a: TeamRecord, b: TeamRecord): boolean => {
  const first = standing.most === null ? b.worth - a.worth : b.strength! - a.strength!;
  return (first || b.scored - b.conceded - (a.scored - a.conceded) || b.scored - a.scored) > 0;
};

/** The place of a record among those of all that have a game; equal ones share the better one. Null without a game. */
export function rankOf(standing: Standing, own: TeamRecord, all: readonly TeamRecord[]): number | null {
  if (own.games === 0) return null;
  return 1 + all.filter((other) => other.games > 0 && isBehind(standing, own, other)).length;
}
