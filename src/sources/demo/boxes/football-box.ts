import type { Lineup, LineupPlayer } from '../fixtures/demo-lineups.ts';
import type { Pair } from '../simulation/chances.ts';
import type { Random } from '../simulation/random.ts';
import type { Expectation, SportBox, TallyWriter } from './box-tally.ts';
import { otherSide, presentPlayers, SIDES } from './box-tally.ts';
import { drawPoisson, type PlayedGame, pickWeighted, stepPicker } from './played-game.ts';

const CATCHES: Readonly<Record<string, number>> = { WR: 1.2, TE: 0.95, RB: 0.55 };
const RUNS: Readonly<Record<string, number>> = { RB: 1, QB: 0.2 };
const TACKLES: Readonly<Record<string, number>> = { LB: 1.5, S: 1.2, CB: 0.9, DE: 0.7 };
/** The second running back plays less. */
const benched = ({ starter }: LineupPlayer): number => (starter ? 1 : 0.4);
const weight =
  (of: Readonly<Record<string, number>>) =>
  (member: LineupPlayer): number =>
    (of[member.position] ?? 0) * member.skill * benched(member);
const [catches, runs, tackles] = [weight(CATCHES), weight(RUNS), weight(TACKLES)];

/** Expected numbers of a side in a game, apart from its touchdowns. */
const EACH = {
  catches: 20,
  misses: 11,
  runs: 24,
  sacks: 2.3,
  penalties: 6.2,
  interceptions: 0.8,
  fumbles: 0.6,
} as const;
/** Yards of a play, from and to. */
const YARDS = { catch: [0.5, 21], touchdownCatch: [2, 31], run: [-1.5, 10], touchdownRun: [0.5, 12.5] } as const;
const LOST_IN_SACK = [4, 10] as const;
const BY_PASS = 0.62;
/** Touchdowns and field goals for each expected point. */
const TOUCHDOWNS = 0.107;
const FIELD_GOALS = 0.083;
const MISSED_FIELD_GOALS = 0.3;
/** Share of the tackles that members of the squad make, and share of solo tackles among them. */
const IN_SQUAD = 0.72;
const ALONE = 0.6;
const THIRD_DOWN = 0.29;
const CONVERTED = 0.41;

const yards = ([from, to]: readonly [number, number], random: Random): number => Math.round(random.between(from, to));
const mean = ([from, to]: readonly [number, number]): number => (from + to) / 2;
const square = ([from, to]: readonly [number, number]): number => (from * from + from * to + to * to) / 3;

function count(course: PlayedGame, { note }: TallyWriter): void {
  const { steps, lineUps, random, length } = course;
  const pick = stepPicker(course);
  for (const { play, index } of steps.map(({ play }, index) => ({ play, index }))) {
    note(index, random.index(2) as 0 | 1, null, 'possession_time_seconds', Math.round(play / 2.5));
  }
  for (const side of SIDES) {
    const own = presentPlayers(lineUps[side]);
    const defence = presentPlayers(lineUps[otherSide(side)]).filter((member) => tackles(member) > 0);
    const passer = own.find(({ position }) => position === 'QB')!;
    const kicker = own.find(({ position }) => position === 'K')!;
    const other = otherSide(side);

    const down = (step: number, isFirst: boolean, canBeThird = true) => {
      if (isFirst) note(step, side, null, 'first_downs');
      if (!canBeThird || !random.chance(THIRD_DOWN)) return;
      note(step, side, null, 'third_down_attempts');
      if (isFirst && random.chance(CONVERTED * 1.8)) note(step, side, null, 'third_down_conversions');
    };
    const tackled = (step: number) => {
      if (!random.chance(IN_SQUAD)) return;
      const tackler = pickWeighted(defence, tackles, random);
      note(step, other, tackler, 'total_tackles');
      if (random.chance(ALONE)) note(step, other, tackler, 'solo_tackles');
    };
    const gained = (step: number, gain: number, byPass: boolean) => {
      note(step, side, null, 'total_yards', gain);
      if (byPass) note(step, side, null, 'net_passing_yards', gain);
    };
    const pass = (step: number, of: readonly [number, number], touchdown: boolean) => {
      const [receiver, gain] = [pickWeighted(own, catches, random), yards(of, random)];
      note(step, side, passer, 'passing_completions');
      note(step, side, passer, 'passing_attempts');
      note(step, side, passer, 'passing_yards', gain);
      for (const stat of ['receptions', 'targets']) note(step, side, receiver, stat);
      note(step, side, receiver, 'receiving_yards', gain);
      gained(step, gain, true);
      if (!touchdown) return { gain };
      note(step, side, passer, 'passing_touchdowns');
      note(step, side, receiver, 'receiving_touchdowns');
      return { gain };
    };
    const run = (step: number, of: readonly [number, number], touchdown: boolean) => {
      const [runner, gain] = [pickWeighted(own, runs, random), yards(of, random)];
      note(step, side, runner, 'rushing_attempts');
      note(step, side, runner, 'rushing_yards', gain);
      gained(step, gain, false);
      if (touchdown) note(step, side, runner, 'rushing_touchdowns');
      return { gain };
    };

    for (const [index, { scored }] of steps.entries()) {
      const points = scored[side];
      note(index, side, null, 'points', points);
      if (points === 0) continue;
      if (points >= 6) {
        if (random.chance(BY_PASS)) pass(index, YARDS.touchdownCatch, true);
        else run(index, YARDS.touchdownRun, true);
        down(index, true, false);
        note(index, side, kicker, 'extra_points_attempted');
        if (points > 6) note(index, side, kicker, 'extra_points_made');
      } else {
        note(index, side, kicker, 'field_goals_attempted');
        note(index, side, kicker, 'field_goals_made');
      }
      if (!random.chance(points >= 6 ? 0.62 : 0.3)) continue;
      note(index, side, null, 'red_zone_attempts');
      if (points >= 6) note(index, side, null, 'red_zone_conversions');
    }
    const happens = (expected: number, then: (step: number) => void) => {
      for (let rest = drawPoisson(expected * length, random); rest > 0; rest--) {
        const step = pick();
        if (step >= 0) then(step);
      }
    };
    happens(EACH.catches, (step) => {
      const { gain } = pass(step, YARDS.catch, false);
      down(step, gain >= 10);
      tackled(step);
    });
    happens(EACH.runs, (step) => {
      const { gain } = run(step, YARDS.run, false);
      down(step, gain >= 7);
      tackled(step);
    });
    happens(EACH.misses, (step) => {
      note(step, side, passer, 'passing_attempts');
      note(step, side, pickWeighted(own, catches, random), 'targets');
      down(step, false);
    });
    happens(EACH.sacks, (step) => {
      const lost = yards(LOST_IN_SACK, random);
      note(step, side, passer, 'sacks_taken');
      note(step, side, passer, 'sack_yards_lost', lost);
      gained(step, -lost, true);
      const tackler = pickWeighted(defence, tackles, random);
      for (const stat of ['sacks', 'total_tackles', 'solo_tackles']) note(step, other, tackler, stat);
    });
    happens(EACH.interceptions, (step) => {
      for (const stat of ['passing_attempts', 'passing_interceptions']) note(step, side, passer, stat);
      for (const stat of ['interceptions', 'turnovers']) note(step, side, null, stat);
      note(step, other, pickWeighted(defence, tackles, random), 'defensive_interceptions');
    });
    happens(EACH.fumbles, (step) => {
      for (const stat of ['fumbles_lost', 'turnovers']) note(step, side, null, stat);
    });
    happens(EACH.penalties, (step) => {
      note(step, side, null, 'penalties');
      note(step, side, null, 'penalty_yards', random.pick([5, 5, 10, 10, 15]));
    });
    happens(MISSED_FIELD_GOALS, (step) => note(step, side, kicker, 'field_goals_attempted'));
  }
}

function expectations(lineUps: readonly [Lineup, Lineup], scored: Pair): Expectation[] {
  return SIDES.flatMap((side) => {
    const own = presentPlayers(lineUps[side]);
    const part = (weightOf: (member: LineupPlayer) => number, member: LineupPlayer) =>
      weightOf(member) / own.reduce((sum, one) => sum + weightOf(one), 0);
    const touchdowns = scored[side] * TOUCHDOWNS;
    const [passed, run] = [touchdowns * BY_PASS, touchdowns * (1 - BY_PASS)];
    return own
      .filter(({ starter }) => starter)
      .flatMap((member): Expectation[] => {
        const { position } = member;
        const share = part(catches, member);
        const expect = (stat: string, expected: number, variance?: number): Expectation => ({
          member,
          side,
          stat,
          mean: expected,
          ...(variance === undefined ? {} : { deviation: Math.sqrt(variance) }),
        });
        const yardsFrom = (
          stat: string,
          plays: number,
          scores: number,
          usual: keyof typeof YARDS,
          scoring: keyof typeof YARDS,
        ) =>
          expect(
            stat,
            plays * mean(YARDS[usual]) + scores * mean(YARDS[scoring]),
            plays * square(YARDS[usual]) + scores * square(YARDS[scoring]),
          );
        switch (position) {
          case 'QB':
            return [
              yardsFrom('passing_yards', EACH.catches, passed, 'catch', 'touchdownCatch'),
              expect('passing_touchdowns', passed),
            ];
          case 'RB': {
            const ran = part(runs, member);
            return [
              yardsFrom('rushing_yards', EACH.runs * ran, run * ran, 'run', 'touchdownRun'),
              expect('touchdowns', run * ran + passed * share),
            ];
          }
          case 'WR':
          case 'TE':
            return [
              yardsFrom('receiving_yards', EACH.catches * share, passed * share, 'catch', 'touchdownCatch'),
              expect('receptions', (EACH.catches + passed) * share),
            ];
          case 'K':
            return [expect('field_goals_made', scored[side] * FIELD_GOALS)];
          default:
            return [];
        }
      });
  });
}

const PASSING = [
  'passing_completions',
  'passing_attempts',
  'passing_yards',
  'passing_touchdowns',
  'passing_interceptions',
  'sacks_taken',
  'sack_yards_lost',
];
const RUSHING = ['rushing_attempts', 'rushing_yards', 'rushing_touchdowns'];
const RECEIVING = ['receptions', 'targets', 'receiving_yards', 'receiving_touchdowns'];
const KICKING = ['field_goals_made', 'field_goals_attempted', 'extra_points_made', 'extra_points_attempted'];
const DEFENCE = ['total_tackles', 'solo_tackles', 'sacks', 'defensive_interceptions'];
const OF_POSITION: Readonly<Record<string, readonly string[]>> = {
  QB: [...PASSING, ...RUSHING],
  RB: [...RUSHING, ...RECEIVING],
  WR: RECEIVING,
  TE: RECEIVING,
  K: KICKING,
};

export const footballBox: SportBox = {
  counted: {
    ofPlayer: (position) => OF_POSITION[position] ?? DEFENCE,
    sums: [
      'passing_completions',
      'passing_attempts',
      'rushing_attempts',
      'rushing_yards',
      'sacks_taken',
      'sack_yards_lost',
    ],
    ofSide: [
      'points',
      'first_downs',
      'total_yards',
      'net_passing_yards',
      'third_down_conversions',
      'third_down_attempts',
      'red_zone_conversions',
      'red_zone_attempts',
      'penalties',
      'penalty_yards',
      'interceptions',
      'fumbles_lost',
      'turnovers',
      'possession_time_seconds',
    ],
  },
  count,
  expectations,
};
