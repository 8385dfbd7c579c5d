import type { Absence } from './before-start.ts';
import { lazily } from './books/chances.ts';
import type { Fixture } from './fixture.ts';
import type { Moment } from './moment.ts';
import { randomFor } from './random.ts';
import type { Timeline } from './timeline.ts';

const HOUR = 3600;
/** Hours before the start at which the market looks at a game again; the first is its opening. */
const LOOKS = [4.4, 3.2, 2.1, 1.1, 0.45];
/** What a player who will not play is worth to his side, in units of strength. */
const MISSED = 0.45;

/**
 * What the market thinks of a game before its start: off at the opening, nearer to the truth the nearer it comes.
 * Seconds count from the start of play.
 */
export function opinionsOf(fixture: Fixture, timeline: Timeline, seed: number, absence: Absence | null): Moment[] {
  const random = randomFor(seed, fixture.ref, 'opinions');
  const off = random.normal(0, 0.5);
  const opinions: Moment[] = [];
  for (const [index, hours] of LOOKS.entries()) {
    const second = fixture.startsAt - timeline.start - hours * HOUR * random.between(0.92, 1.04);
    const missed = absence && timeline.start + second < absence.second ? (absence.side === 0 ? MISSED : -MISSED) : 0;
    const shift = off * (1 - index / (LOOKS.length - 1)) + random.normal(0, 0.07) + missed;
    opinions.push({ second, chances: lazily(() => timeline.before(shift)) });
  }
  const last = timeline.moments.find(({ chances, second }) => chances === null && second < 0);
  // Nobody prices a game that will not be played.
  return last && !timeline.moments.some(({ score }) => score?.status === 'inprogress')
    ? opinions.filter(({ second }) => second < last.second)
    : opinions;
}
