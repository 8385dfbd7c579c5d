import fc from 'fast-check';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { expect, it } from 'vitest';
import { type PlayState, saysTheSame } from '../../../src/sources/provider-base/backward-play.ts';
import { createScoreGuard } from '../../../src/sources/provider-base/score-guard.ts';

const EVERY = 15_000;
const ANSWERS = 1000;
const GAME = { source: 'espn', ref: '1', subject: 'espn 1' };

type Progress = Pick<PlayState, 'period' | 'clock'>;

/** How a game of each sport goes on by a quarter of a minute; made up, in the way that answers show it. */
const SPORTS: Readonly<Record<string, (n: number) => Progress>> = {
  nba: (n) => countingDown(n, 48, 12),
  nhl: (n) => countingDown(n, 80, 20),
  soccer: (n) => ({ period: n < 200 ? '1H' : '2H', clock: `${Math.floor(n / 4)}'` }),
  mlb: (n) => ({
    period: `${n % 60 < 30 ? 'Top' : 'Bot'} ${1 + Math.floor(n / 60)}`,
    clock: `${Math.floor((n % 30) / 10)} out`,
  }),
};
/** Answers after which the clock shows another time: soccer's shows minutes. */
const CLOCK_STEP: Readonly<Record<string, number>> = { soccer: 4 };

function countingDown(n: number, answers: number, minutes: number): Progress {
  const left = minutes * 60 - (n % answers) * 15;
  const seconds = String(left % 60).padStart(2, '0');
  return { period: String(1 + Math.floor(n / answers)), clock: `${Math.floor(left / 60)}:${seconds}` };
}

const games = fc.record({ sport: fc.constantFrom(...Object.keys(SPORTS)), seed: fc.integer() });

/** A game in which points only come. */
function statesOf(sport: string, random: (max: number) => number): PlayState[] {
  let [home, away] = [0, 0];
  return Array.from({ length: ANSWERS }, (_, n) => {
    // Two scores of one minute cannot be told apart by a clock of minutes.
    const chance = n % (CLOCK_STEP[sport] ?? 1) === 0 ? random(9) : 9;
    if (chance === 0) home++;
    if (chance === 1) away++;
    return { status: n === ANSWERS - 1 ? 'final' : 'inprogress', ...SPORTS[sport]!(n), scores: [home, away] };
  });
}

function randomOf(seed: number): (max: number) => number {
  const generator = xoroshiro128plus(seed);
  return (max) => uniformInt(generator, 0, max);
}

it('given stale answers between a thousand, no score that is told goes back and forth', () => {
  fc.assert(
    fc.property(games, ({ sport, seed }) => {
      const random = randomOf(seed);
      const states = statesOf(sport, random);
      const guard = createScoreGuard(1);
      let last = -1;
      let inARow = 0;
      let held = 0;
      for (let n = 0; n < ANSWERS; n++) {
        // A cache may answer more than once in a row. What says the same three times over 45 s is believed.
        const by = (1 + random(7)) * (CLOCK_STEP[sport] ?? 1);
        const isStale = by <= n && n < ANSWERS - 1 && inARow < 2 && random(3) === 0;
        inARow = isStale ? inARow + 1 : 0;
        const state = states[isStale ? n - by : n]!;
        if (guard.judge({ ...GAME, sport }, state, n * EVERY) === 'held') held++;
        const [home = 0, away = 0] = guard.believed(GAME)!.scores;
        expect(home + away).toBeGreaterThanOrEqual(last);
        last = home + away;
      }
      expect(held).toBeGreaterThan(50);
      expect(guard.held('espn')).toBe(0);
      expect(guard.believed(GAME)).toMatchObject({ status: 'final', scores: states.at(-1)!.scores });
    }),
  );
});

it('given a real correction at any moment, it is told at most a minute later', () => {
  const corrections = fc.record({
    at: fc.integer({ min: 10, max: ANSWERS - 20 }),
    lost: fc.integer({ min: 1, max: 5 }),
    toScheduled: fc.boolean(),
  });
  fc.assert(
    fc.property(games, corrections, ({ sport, seed }, { at, lost, toScheduled }) => {
      const random = randomOf(seed);
      const guard = createScoreGuard(1);
      let [time, correctedAt] = [0, 0];
      let toldAt: number | undefined;
      let isHeld = false;
      const states = statesOf(sport, random);
      // Nothing else happens in that minute.
      const [home, away] = states[at]!.scores;
      for (const [n, state] of statesOf(sport, random)
        .slice(0, at + 6)
        .entries()) {
        const wait = EVERY * (0.9 + random(200) / 1000);
        // What is held back is asked for again after 15 s at most.
        time += isHeld ? Math.min(wait, EVERY) : wait;
        const corrected: PlayState = toScheduled
          ? { status: 'scheduled', period: undefined, clock: undefined, scores: [undefined, undefined] }
          : { ...state, scores: [Math.max(0, home! - lost), away] };
        const shown = n < at ? state : { ...corrected, period: toScheduled ? undefined : SPORTS[sport]!(at).period };
        if (n === at) correctedAt = time;
        isHeld = guard.judge({ ...GAME, sport }, shown, time) === 'held';
        if (n < at || isHeld) continue;
        toldAt ??= time;
        expect(saysTheSame(guard.believed(GAME)!, shown)).toBe(true);
      }
      expect(toldAt! - correctedAt).toBeLessThanOrEqual(60_000);
    }),
  );
});
