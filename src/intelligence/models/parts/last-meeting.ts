import { fnv1a } from '../../../domain/primitives/fnv1a.ts';
import type { Part } from '../mixture.ts';

interface Meetings {
  /** For each of the last opponents, the newest last: a hash of its id, since memories hold numbers alone, and the result beyond its probability. */
  readonly with: readonly (readonly [opponent: number, surprise: number])[];
}

/** About a season of a conference. */
const MOST = 16;

const lastWith = ({ with: met }: Meetings, opponent: number): number =>
  met.findLast(([id]) => id === opponent)?.[1] ?? 0;

/** How much better than expected home ended its last game against this opponent. */
export const lastMeeting: Part<Record<string, never>, Meetings> = {
  id: 'last_meeting',
  isSignal: true,
  newLeague: {},
  newSide: { with: [] },
  odds: ({ sides: [home] }, { away }) => lastWith(home, fnv1a(away)),
  learn({ league, sides: [home, away] }, game, surprise) {
    const after = ({ with: met }: Meetings, opponent: number, value: number): Meetings => ({
      with: [...met.filter(([id]) => id !== opponent), [opponent, value] as const].slice(-MOST),
    });
    return {
      league,
      sides: [after(home, fnv1a(game.away), surprise), after(away, fnv1a(game.home), -surprise)],
    };
  },
};
