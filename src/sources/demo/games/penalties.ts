import type { Pair } from '../books/chances.ts';
import type { Moment, SideScore } from '../moment.ts';
import type { Random } from '../random.ts';

const KICK_SECONDS = 45;
const KICKS = 5;
const SCORED = 0.75;

type Sides = readonly [SideScore, SideScore];

/** The sides of a score message with the goals of a penalty shootout beside them. */
const withPenalties = ([first, second]: Sides, [a, b]: Pair): Sides => [withGoals(first, a), withGoals(second, b)];
const withGoals = (side: SideScore, score: number): SideScore => ({
  ...side,
  period_scores: [...(side.period_scores ?? []), { period: 'PKs', score }],
});

/** @returns who has won, null while it is open. @param taken kicks of each side so far */
function decided([a, b]: Pair, [takenA, takenB]: Pair): 0 | 1 | null {
  const leftA = Math.max(0, KICKS - takenA);
  const leftB = Math.max(0, KICKS - takenB);
  if (takenA >= KICKS && takenB >= KICKS) return takenA === takenB && a !== b ? (a > b ? 0 : 1) : null;
  if (a > b + leftB) return 0;
  return b > a + leftA ? 1 : null;
}

/**
 * Kicks in turn, told one by one. They decide the winner and leave the score as it is.
 * @param sides as they stand after extra time
 */
export function playPenalties(start: number, clock: string, sides: Sides, random: Random) {
  const scored: [number, number] = [0, 0];
  const moments: Moment[] = [];
  for (let kick = 1; ; kick++) {
    const side = ((kick - 1) % 2) as 0 | 1;
    const second = start + kick * KICK_SECONDS;
    if (random.chance(SCORED)) scored[side]++;
    const told = withPenalties(sides, [...scored]);
    moments.push({ second, score: { status: 'inprogress', period: 'PKs', clock, sides: told }, chances: null });
    const winner = decided(scored, [Math.ceil(kick / 2), Math.floor(kick / 2)]);
    if (winner === null) continue;
    const [first, other] = told;
    const final: Sides = [
      { ...first, is_winner: winner === 0 },
      { ...other, is_winner: winner === 1 },
    ];
    return { moments, second, sides: final };
  }
}
