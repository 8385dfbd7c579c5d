import type { Lineup, LineupPlayer } from '../fixtures/demo-lineups.ts';
import type { Pair } from '../simulation/chances.ts';
import type { SportBox, TallyWriter } from './box-tally.ts';
import { otherSide, presentPlayers, SIDES } from './box-tally.ts';
import { drawPoisson, type PlayedGame, pickWeighted, stepPicker } from './played-game.ts';

/** How often a position shoots, and how often it assists a goal, compared with other positions. */
const SHOOTS: Readonly<Record<string, number>> = { ST: 3.2, LW: 2, RW: 2, AM: 1.7, CM: 1, DM: 0.6, LB: 0.3, RB: 0.3 };
const PREPARES: Readonly<Record<string, number>> = { AM: 2.4, LW: 2, RW: 2, CM: 1.5, ST: 1.2, LB: 1, RB: 1 };
const shoots = ({ position, skill }: LineupPlayer): number =>
  position === 'GK' ? 0 : (SHOOTS[position] ?? 0.25) * skill;
const prepares = ({ position, skill }: LineupPlayer): number =>
  position === 'GK' ? 0 : (PREPARES[position] ?? 0.4) * skill;
const fouls = ({ position }: LineupPlayer): number => (position === 'GK' ? 0.05 : 1);

/** Saved shots and shots off target of a side, for each expected goal. */
const SAVED = 2.3;
const OFF_TARGET = 5.2;
const ASSISTED = 0.72;
/** Expected numbers of a side in a game. */
const EACH = { fouls: 11, corners: 5, offsides: 1.9, tackles: 16, interceptions: 9, passes: 430 } as const;
const YELLOW = 0.17;
const RED = 0.006;
const BLOCKED = 0.3;
const GOALS_EACH = 1.4;

function count(course: PlayedGame, { note }: TallyWriter): void {
  const { steps, lineUps, random, length } = course;
  const pick = stepPicker(course);
  const share = Math.round(random.normal(50, 6));
  for (const side of SIDES) {
    const players = lineUps[side].filter(({ starter }) => starter);
    const other = otherSide(side);
    const keeper = lineUps[other].find(({ position }) => position === 'GK')!;
    for (const [index, { scored, period }] of steps.entries()) {
      for (let goals = scored[side]; goals > 0 && period !== 'PKs'; goals--) {
        const scorer = pickWeighted(players, shoots, random);
        for (const stat of ['goals', 'shots', 'shots_on_target']) note(index, side, scorer, stat);
        if (!random.chance(ASSISTED)) continue;
        const others = players.filter((player) => player !== scorer);
        note(index, side, pickWeighted(others, prepares, random), 'assists');
      }
    }
    const happens = (mean: number, then: (step: number) => void) => {
      for (let rest = drawPoisson(mean * length, random); rest > 0; rest--) {
        const step = pick();
        if (step >= 0) then(step);
      }
    };
    happens(SAVED * GOALS_EACH, (step) => {
      const shooter = pickWeighted(players, shoots, random);
      note(step, side, shooter, 'shots');
      note(step, side, shooter, 'shots_on_target');
      note(step, other, keeper, 'saves');
    });
    happens(OFF_TARGET * GOALS_EACH, (step) => {
      note(step, side, pickWeighted(players, shoots, random), 'shots');
      if (random.chance(BLOCKED)) note(step, other, null, 'blocked_shots');
    });
    happens(EACH.fouls, (step) => {
      const player = pickWeighted(players, fouls, random);
      note(step, side, player, 'fouls');
      if (random.chance(YELLOW)) note(step, side, player, 'yellow_cards');
      else if (random.chance(RED)) note(step, side, player, 'red_cards');
    });
    for (const stat of ['corners', 'offsides', 'tackles', 'interceptions'] as const) {
      happens(EACH[stat], (step) => note(step, side, null, stat));
    }
    const ball = side === 0 ? share : 100 - share;
    for (let rest = Math.round((EACH.passes * ball * length) / 500); rest > 0; rest--) {
      note(pick(), side, null, 'passes', 10);
    }
    note(0, side, null, 'possession_pct', ball);
    note(0, side, null, 'pass_accuracy_pct', Math.round(random.normal(72 + ball / 5, 3)));
  }
}

function expectations(lineUps: readonly [Lineup, Lineup], scored: Pair) {
  return SIDES.flatMap((side) => {
    const players = presentPlayers(lineUps[side]).filter(({ starter }) => starter);
    const all = players.reduce((sum, player) => sum + shoots(player), 0);
    const [onTarget, shots] = [SAVED * GOALS_EACH + scored[side], (SAVED + OFF_TARGET) * GOALS_EACH + scored[side]];
    return [
      ...players
        .filter((player) => shoots(player) / all > 0.12)
        .flatMap((member) => [
          { member, side, stat: 'shots', mean: (shots * shoots(member)) / all },
          { member, side, stat: 'shots_on_target', mean: (onTarget * shoots(member)) / all },
          { member, side, stat: 'goals', mean: (scored[side] * shoots(member)) / all },
        ]),
      ...players
        .filter(({ position }) => position === 'GK')
        .map((member) => ({ member, side, stat: 'saves', mean: SAVED * GOALS_EACH })),
    ];
  });
}

const OUTFIELD = ['goals', 'assists', 'shots', 'shots_on_target', 'fouls', 'yellow_cards', 'red_cards'];

export const soccerBox: SportBox = {
  counted: {
    ofPlayer: (position) => (position === 'GK' ? ['saves', 'fouls', 'yellow_cards', 'red_cards'] : OUTFIELD),
    sums: ['shots', 'shots_on_target', 'assists', 'fouls', 'yellow_cards', 'red_cards', 'saves'],
    ofSide: ['corners', 'offsides', 'tackles', 'interceptions', 'blocked_shots', 'passes'],
    hasRow: ({ starter }) => starter,
  },
  count,
  expectations,
};
