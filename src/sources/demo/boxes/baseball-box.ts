import type { Lineup, LineupPlayer } from '../fixtures/demo-lineups.ts';
import type { Pair } from '../simulation/chances.ts';
import type { Expectation, SportBox, TallyWriter } from './box-tally.ts';
import { otherSide, presentPlayers, SIDES, type SideIndex } from './box-tally.ts';
import { drawPoisson, type PlayedGame } from './played-game.ts';

const PITCHES = new Set(['SP', 'RP']);
const batsIn = (lineUp: Lineup): Lineup => lineUp.filter(({ position, starter }) => starter && !PITCHES.has(position));
const pitchesIn = (lineUp: Lineup): Lineup => presentPlayers(lineUp).filter(({ position }) => PITCHES.has(position));

const OUTS = 3;
/** Expected runners of a half-inning that do not score, and the probabilities of how a batter reaches base. */
const LEFT = 0.5;
const WALK = 0.33;
const DOUBLE = 0.22;
const TRIPLE = 0.02;
const HOME_RUN = 0.36;
const STRIKEOUT = 0.3;
const UNEARNED = 0.06;
const STOLEN = 0.06;
const ERROR = 0.06;
/** Outs after which the starting pitcher leaves, and outs that each relief pitcher stays for. */
const STARTER_OUTS = { mean: 16.5, deviation: 2.6, least: 9, most: 24 };
const RELIEF_OUTS = 5;

function count({ steps, lineUps, random }: PlayedGame, { note }: TallyWriter): void {
  const order = lineUps.map(batsIn);
  const turn = [0, 0];
  const staffs = lineUps.map((lineUp) => {
    const stays = random.normal(STARTER_OUTS.mean, STARTER_OUTS.deviation);
    const first = Math.round(Math.min(STARTER_OUTS.most, Math.max(STARTER_OUTS.least, stays)));
    return { pitchers: pitchesIn(lineUp), stays: [first, RELIEF_OUTS], present: 0, outs: 0 };
  });
  let batting: SideIndex | null = null;
  let period = '';

  const nextBatter = (side: SideIndex): LineupPlayer => order[side]![turn[side]!++ % order[side]!.length]!;
  /** Notes a statistic of the pitcher who faces the batting side `side`. */
  function against(step: number, side: SideIndex, stat: string, amount = 1): void {
    const { pitchers, present } = staffs[otherSide(side)]!;
    note(step, otherSide(side), pitchers[present]!, stat, amount);
  }
  function hit(step: number, side: SideIndex, batter: LineupPlayer, homeRun: boolean): void {
    const draw = random.next();
    note(step, side, batter, 'at_bats');
    note(step, side, batter, 'hits');
    against(step, side, 'hits_allowed');
    if (homeRun) against(step, side, 'home_runs_allowed');
    if (homeRun) note(step, side, batter, 'home_runs');
    else if (draw < TRIPLE) note(step, side, batter, 'triples');
    else if (draw < DOUBLE) note(step, side, batter, 'doubles');
  }
  /** A batter reaches base. */
  function reach(step: number, side: SideIndex): LineupPlayer {
    const batter = nextBatter(side);
    if (random.chance(WALK)) {
      note(step, side, batter, 'walks');
      against(step, side, 'walks_allowed');
    } else hit(step, side, batter, false);
    if (random.chance(STOLEN)) note(step, side, batter, 'stolen_bases');
    return batter;
  }
  function score(step: number, side: SideIndex, runs: number): void {
    const homeRun = random.chance(HOME_RUN);
    const home = Array.from({ length: homeRun ? runs - 1 : runs }, () => reach(step, side));
    const batter = nextBatter(side);
    hit(step, side, batter, homeRun);
    if (homeRun) home.push(batter);
    note(step, side, batter, 'rbis', runs);
    for (const runner of home) {
      note(step, side, runner, 'runs');
      against(step, side, 'runs_allowed');
      if (!random.chance(UNEARNED)) against(step, side, 'earned_runs');
    }
  }
  function out(step: number, side: SideIndex): void {
    const batter = nextBatter(side);
    note(step, side, batter, 'at_bats');
    against(step, side, 'outs_recorded');
    if (random.chance(STRIKEOUT)) {
      note(step, side, batter, 'strikeouts');
      against(step, side, 'pitching_strikeouts');
    }
    const staff = staffs[otherSide(side)]!;
    staff.outs++;
    if (staff.outs < (staff.stays[staff.present] ?? Number.POSITIVE_INFINITY)) return;
    staff.present = Math.min(staff.present + 1, staff.pitchers.length - 1);
    staff.outs = 0;
  }
  /** Ends a half-inning: adds everything that it had apart from its runs. */
  function close(step: number, side: SideIndex, outs: number): void {
    const left = drawPoisson(LEFT, random);
    for (let runner = 0; runner < left; runner++) reach(step, side);
    note(step, side, null, 'left_on_base', left);
    for (let one = 0; one < outs; one++) out(step, side);
    if (random.chance(ERROR)) note(step, otherSide(side), null, 'errors');
  }

  for (const [index, step] of steps.entries()) {
    // The winning run ends a game before the third out.
    const walkedOff = step.final && step.period.startsWith('Bot');
    if (batting !== null && (step.period !== period || step.final)) {
      close(index, batting, walkedOff ? random.index(OUTS) : OUTS);
      batting = null;
    }
    if (step.final) break;
    period = step.period;
    if (period.startsWith('Top') || period.startsWith('Bot')) batting = period.startsWith('Top') ? 1 : 0;
    for (const side of SIDES) if (step.scored[side] > 0) score(index, side, step.scored[side]);
  }
}

/** Hits of a side in a game: the expected number apart from runs, and the number for each run. */
const HITS = { each: 3, ofRun: 1.2 };
const HOME_RUNS_OF_RUN = 0.28;
/** A home run is four bases at once, so most batters end below the mean. */
const SKEWED = 0.88;

function expectations(lineUps: readonly [Lineup, Lineup], scored: Pair): Expectation[] {
  return SIDES.flatMap((side) => {
    const hits = HITS.each + HITS.ofRun * scored[side];
    const homeRuns = HOME_RUNS_OF_RUN * scored[side];
    const bases = hits + (hits - homeRuns) * (DOUBLE + TRIPLE) + 3 * homeRuns;
    const [starter] = pitchesIn(lineUps[side]);
    const outs = STARTER_OUTS.mean;
    const deviation = STARTER_OUTS.deviation;
    return [
      { member: starter!, side, stat: 'pitching_strikeouts', mean: outs * STRIKEOUT },
      { member: starter!, side, stat: 'outs_recorded', mean: outs, deviation },
      ...batsIn(lineUps[side])
        .slice(0, 4)
        .flatMap((member, place) => {
          const part = (1.09 - 0.025 * place) / 9;
          return [
            { member, side, stat: 'hits', mean: hits * part },
            { member, side, stat: 'total_bases', mean: SKEWED * bases * part },
          ];
        }),
    ];
  });
}

const BATTING = [
  'at_bats',
  'runs',
  'hits',
  'doubles',
  'triples',
  'home_runs',
  'rbis',
  'walks',
  'strikeouts',
  'stolen_bases',
];
const PITCHING = [
  'outs_recorded',
  'pitching_strikeouts',
  'hits_allowed',
  'runs_allowed',
  'earned_runs',
  'walks_allowed',
  'home_runs_allowed',
];

export const baseballBox: SportBox = {
  counted: {
    ofPlayer: (position) => (PITCHES.has(position) ? PITCHING : BATTING),
    sums: BATTING,
    ofSide: ['left_on_base', 'errors'],
    hasRow: ({ position, starter }) => starter || PITCHES.has(position),
  },
  count,
  expectations,
};
