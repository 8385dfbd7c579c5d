import { DAY } from '../../../domain/primitives/time.ts';
import type { Part } from '../mixture.ts';

interface Stand {
  /** How many games in a row it has played at home; negative: away. */
  readonly games: number;
  /** The start of the last of them: milliseconds; null before the first. */
  readonly last: number | null;
}

const MOST = 5;
/** After so long without a game a side has been at home, whatever it played before. */
const BREAK = 30 * DAY;

const before = ({ games, last }: Stand, startsAt: number): number =>
  last === null || startsAt - last > BREAK ? 0 : games;

function after(stand: Stand, startsAt: number, isHome: boolean): Stand {
  const games = before(stand, startsAt);
  return {
    games: isHome ? Math.min(MOST, Math.max(0, games) + 1) : Math.max(-MOST, Math.min(0, games) - 1),
    last: startsAt,
  };
}

/** How many games longer home has been at home than away has. Nothing on neutral ground. */
export const homeStand: Part<Record<string, never>, Stand> = {
  id: 'home_stand',
  isSignal: true,
  newLeague: {},
  newSide: { games: 0, last: null },
  odds: ({ sides: [home, away] }, { isNeutral, startsAt }) =>
    isNeutral ? 0 : before(home, startsAt) - before(away, startsAt),
  learn({ league, sides: [home, away] }, { isNeutral, startsAt }) {
    return isNeutral
      ? { league, sides: [home, away] }
      : { league, sides: [after(home, startsAt, true), after(away, startsAt, false)] };
  },
};
