import type { SportSlug } from '../../../domain/catalogue/catalogue.ts';

/** A position in a team. */
interface SquadPlace {
  readonly position: string;
  readonly starts: boolean;
  /** Whether a player of the bench may take this position. */
  readonly isReplaceable: boolean;
}

const places = (starting: string, alone: string, bench: string): readonly SquadPlace[] => [
  ...list(starting).map((position) => ({ position, starts: true, isReplaceable: true })),
  ...list(alone).map((position) => ({ position, starts: true, isReplaceable: false })),
  ...list(bench).map((position) => ({ position, starts: false, isReplaceable: true })),
];
const list = (positions: string): string[] => positions.split(' ').filter((position) => position !== '');

const FOOTBALL = places('RB WR WR WR TE LB LB DE CB S', 'QB K', 'RB');
const BASKETBALL = places('PG SG SF PF C', '', 'G G F C');

/** The members of a team: the players who score and are counted, and some of the bench. Tennis players have no team. */
export const SQUADS: Readonly<Record<SportSlug, readonly SquadPlace[]>> = {
  nfl: FOOTBALL,
  ncaaf: FOOTBALL,
  nba: BASKETBALL,
  ncaab: BASKETBALL,
  mlb: places('CF SS RF 1B LF DH 3B 2B', 'C SP', 'UT RP RP'),
  nhl: places('C LW RW D D', 'G', 'C LW RW D'),
  soccer: places('RB CB CB LB DM CM AM RW LW ST', 'GK', 'DF MF FW'),
  tennis: [],
};
