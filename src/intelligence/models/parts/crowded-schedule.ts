import { DAY } from '../../../domain/primitives/time.ts';
import type { Part } from '../mixture.ts';

interface Played {
  /** The starts of the games of the last two weeks: milliseconds, oldest first. */
  readonly starts: readonly number[];
}

const DAYS = 14;
/** No side plays oftener in two weeks. */
const MOST = 14;

const recent = ({ starts }: Played, startsAt: number): number =>
  starts.filter((start) => startsAt - start <= DAYS * DAY).length;

/** How many more games home has played in the two weeks before: tired legs, and players who are given a rest. */
export const crowdedSchedule: Part<Record<string, never>, Played> = {
  id: 'crowded_schedule',
  isSignal: true,
  newLeague: {},
  newSide: { starts: [] },
  odds: ({ sides: [home, away] }, { startsAt }) => recent(home, startsAt) - recent(away, startsAt),
  learn({ league, sides }, { startsAt }) {
    const after = ({ starts }: Played): Played => ({
      starts: [...starts.filter((start) => startsAt - start <= DAYS * DAY), startsAt].slice(-MOST),
    });
    return { league, sides: [after(sides[0]), after(sides[1])] };
  },
};
