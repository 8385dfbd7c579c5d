import type { Lineup, LineupPlayer } from '../fixtures/demo-lineups.ts';
import type { Pair } from '../simulation/chances.ts';
import type { SportBox, TallyWriter } from './box-tally.ts';
import { otherSide, presentPlayers, SIDES } from './box-tally.ts';
import { drawPoisson, isShootout, type PlayedGame, pickWeighted, stepPicker } from './played-game.ts';

const SHOOTS: Readonly<Record<string, number>> = { C: 1.2, LW: 1.35, RW: 1.35, D: 0.6, G: 0 };
/** The second line plays less. */
const lineFactor = ({ starter }: LineupPlayer): number => (starter ? 1 : 0.5);
const shoots = (member: LineupPlayer): number => SHOOTS[member.position]! * member.skill * lineFactor(member);
const prepares = (member: LineupPlayer): number => (member.position === 'C' ? 1.4 : 1) * lineFactor(member);
const defends = (member: LineupPlayer): number => (member.position === 'D' ? 2.2 : 1) * lineFactor(member);
const works = (member: LineupPlayer): number => lineFactor(member);
const facesOff = ({ position }: LineupPlayer): number => (position === 'C' ? 1 : 0.05);

/** Expected numbers of a side in a game, apart from its goals. */
const EACH = {
  hits: [21, works],
  blocked_shots: [14, defends],
  giveaways: [8, works],
  takeaways: [7, works],
  faceoffs_won: [28, facesOff],
} as const;
const SAVED = 26.5;
const PENALTIES = 3.2;
const POWER_PLAY_GOAL = 0.19;
/** Average number of assists of a goal; mostly two. */
const ASSISTS = 1.7;
const TWO_ASSISTS = 0.78;
const ONE_ASSIST = 0.92;

const SKATER = [
  'goals',
  'assists',
  'points',
  'power_play_points',
  'shots_on_goal',
  'hits',
  'blocked_shots',
  'giveaways',
  'takeaways',
  'faceoffs_won',
  'penalty_minutes',
];

function count(course: PlayedGame, { note }: TallyWriter): void {
  const { steps, lineUps, random, length } = course;
  const pick = stepPicker(course);
  for (const side of SIDES) {
    const other = otherSide(side);
    const skaters = presentPlayers(lineUps[side]).filter(({ position }) => position !== 'G');
    const keeperOf = (lineUp: Lineup) => lineUp.find(({ position }) => position === 'G')!;
    for (const [index, step] of steps.entries()) {
      for (let goals = step.scored[side]; goals > 0; goals--) {
        if (isShootout(step)) continue;
        const inPowerPlay = random.chance(POWER_PLAY_GOAL);
        const scorer = pickWeighted(skaters, shoots, random);
        for (const stat of ['goals', 'points', 'shots_on_goal']) note(index, side, scorer, stat);
        note(index, other, keeperOf(lineUps[other]), 'goals_against');
        note(index, other, keeperOf(lineUps[other]), 'shots_against');
        const draw = random.next();
        const others = skaters.filter((skater) => skater !== scorer);
        const involved = [scorer];
        for (let rest = draw < TWO_ASSISTS ? 2 : draw < ONE_ASSIST ? 1 : 0; rest > 0; rest--) {
          const left = others.filter((skater) => !involved.includes(skater));
          const helper = pickWeighted(left, prepares, random);
          involved.push(helper);
          note(index, side, helper, 'assists');
          note(index, side, helper, 'points');
        }
        if (!inPowerPlay) continue;
        note(index, side, null, 'power_play_goals');
        note(index, side, null, 'power_play_opportunities');
        for (const player of involved) note(index, side, player, 'power_play_points');
      }
    }
    for (let rest = drawPoisson(SAVED * length, random); rest > 0; rest--) {
      const step = pick();
      note(step, side, pickWeighted(skaters, shoots, random), 'shots_on_goal');
      note(step, other, keeperOf(lineUps[other]), 'saves');
      note(step, other, keeperOf(lineUps[other]), 'shots_against');
    }
    for (let rest = drawPoisson(PENALTIES * length, random); rest > 0; rest--) {
      const step = pick();
      note(step, side, pickWeighted(skaters, works, random), 'penalty_minutes', 2);
      if (random.chance(0.8)) note(step, other, null, 'power_play_opportunities');
    }
    for (const [stat, [mean, weight]] of Object.entries(EACH)) {
      for (let rest = drawPoisson(mean * length, random); rest > 0; rest--) {
        note(pick(), side, pickWeighted(skaters, weight, random), stat);
      }
    }
  }
}

function expectations(lineUps: readonly [Lineup, Lineup], scored: Pair) {
  return SIDES.flatMap((side) => {
    const skaters = presentPlayers(lineUps[side]).filter(({ position }) => position !== 'G');
    const part = (weight: (member: LineupPlayer) => number, member: LineupPlayer) =>
      weight(member) / skaters.reduce((sum, skater) => sum + weight(skater), 0);
    const keeper = lineUps[side].find(({ position }) => position === 'G')!;
    return [
      ...skaters
        .filter(({ starter, position }) => starter && position !== 'D')
        .flatMap((member) => {
          const goals = scored[side] * part(shoots, member);
          const assists = scored[side] * ASSISTS * part(prepares, member);
          return [
            { member, side, stat: 'shots_on_goal', mean: SAVED * part(shoots, member) + goals },
            { member, side, stat: 'points', mean: goals + assists },
            { member, side, stat: 'goals', mean: goals },
          ];
        }),
      { member: keeper, side, stat: 'saves', mean: SAVED },
    ];
  });
}

export const hockeyBox: SportBox = {
  counted: {
    ofPlayer: (position) => (position === 'G' ? ['saves', 'goals_against', 'shots_against'] : SKATER),
    sums: [
      'goals',
      'shots_on_goal',
      'hits',
      'blocked_shots',
      'penalty_minutes',
      'faceoffs_won',
      'giveaways',
      'takeaways',
    ],
    ofSide: ['power_play_goals', 'power_play_opportunities'],
  },
  count,
  expectations,
};
