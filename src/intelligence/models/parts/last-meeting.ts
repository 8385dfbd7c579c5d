import type { Part } from '../mixture.ts';

interface Meetings {
  /** For each of the last opponents, the newest last: a number for its id, and the result beyond its probability. */
  readonly with: readonly (readonly [opponent: number, surprise: number])[];
}

/** About a season of a conference. */
const MOST = 16;

/** 32 bits of a text (FNV-1a): memories hold numbers alone. */
function numberOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

const lastWith = ({ with: met }: Meetings, opponent: number): number =>
  met.findLast(([id]) => id === opponent)?.[1] ?? 0;

/** How much better than expected home ended its last game against this opponent. */
export const lastMeeting: Part<Record<string, never>, Meetings> = {
  id: 'last_meeting',
  isSignal: true,
  newLeague: {},
  newSide: { with: [] },
  odds: ({ sides: [home] }, { away }) => lastWith(home, numberOf(away)),
  learn({ league, sides: [home, away] }, game, surprise) {
    const after = ({ with: met }: Meetings, opponent: number, value: number): Meetings => ({
      with: [...met.filter(([id]) => id !== opponent), [opponent, value] as const].slice(-MOST),
    });
    return {
      league,
      sides: [after(home, numberOf(game.away), surprise), after(away, numberOf(game.home), -surprise)],
    };
  },
};
