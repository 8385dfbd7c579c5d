import type { Lineup, LineupPlayer } from '../fixtures/demo-lineups.ts';
import type { Pair } from '../simulation/chances.ts';
import type { Expectation, SportBox, TallyWriter } from './box-tally.ts';
import { presentPlayers, SIDES } from './box-tally.ts';
import { drawPoisson, type PlayedGame, pickWeighted, stepPicker } from './played-game.ts';

/** A position's share of a team's points, rebounds and assists, and its minutes of forty-eight. */
interface Share {
  readonly points: number;
  readonly rebounds: number;
  readonly assists: number;
  readonly minutes: number;
}
const STARTERS: Readonly<Record<string, Share>> = {
  PG: { points: 1.25, rebounds: 0.6, assists: 2.3, minutes: 33 },
  SG: { points: 1.3, rebounds: 0.6, assists: 1.2, minutes: 33 },
  SF: { points: 1.2, rebounds: 1, assists: 1, minutes: 33 },
  PF: { points: 1.05, rebounds: 1.35, assists: 0.8, minutes: 32 },
  C: { points: 0.95, rebounds: 1.9, assists: 0.6, minutes: 31 },
};
const BENCH: Share = { points: 0.5, rebounds: 0.55, assists: 0.5, minutes: 19.5 };

const shareOf = ({ position, starter }: LineupPlayer): Share => (starter ? STARTERS[position]! : BENCH);
const weightOf =
  (what: keyof Share) =>
  (member: LineupPlayer): number =>
    shareOf(member)[what] * (what === 'minutes' ? 1 : member.skill);

/** A team's statistics for every hundred points, apart from the points. */
const PER_100_POINTS = {
  missedTwos: 25,
  missedThrees: 21,
  missedFreeThrows: 4.6,
  offensiveRebounds: 9.4,
  defensiveRebounds: 29.5,
  steals: 6.8,
  blocks: 4.4,
  turnovers: 12.2,
  fouls: 17,
} as const;
/** Share of the baskets with an assist. */
const ASSISTED = 0.6;
/** Baskets for every hundred points. */
const BASKETS = 36.5;

const SHOTS = {
  3: ['three_pointers_made', 'three_pointers_attempted', 'field_goals_made', 'field_goals_attempted'],
  2: ['field_goals_made', 'field_goals_attempted'],
  1: ['free_throws_made', 'free_throws_attempted'],
} as const;

const MISSES = [
  ['missedTwos', ['field_goals_attempted']],
  ['missedThrees', ['three_pointers_attempted', 'field_goals_attempted']],
  ['missedFreeThrows', ['free_throws_attempted']],
  ['steals', ['steals']],
  ['turnovers', ['turnovers']],
  ['fouls', ['fouls']],
] as const;
const BOARDS = [
  ['offensiveRebounds', ['offensive_rebounds', 'rebounds']],
  ['defensiveRebounds', ['defensive_rebounds', 'rebounds']],
  ['blocks', ['blocks']],
] as const;

const COUNTED = [
  'points',
  'rebounds',
  'offensive_rebounds',
  'defensive_rebounds',
  'assists',
  'steals',
  'blocks',
  'turnovers',
  'fouls',
  'field_goals_made',
  'field_goals_attempted',
  'three_pointers_made',
  'three_pointers_attempted',
  'free_throws_made',
  'free_throws_attempted',
];

/** Offensive and defensive rebounds and fouls are stated for the sides only. */
const OF_PLAYERS = ['minutes', ...COUNTED].filter((stat) => !/^(?:offensive_|defensive_|fouls)/.test(stat));

function count(course: PlayedGame, { note }: TallyWriter, pointsEach: number): void {
  const { steps, lineUps, random, length } = course;
  const pick = stepPicker(course);
  const all = steps.reduce((sum, { play }) => sum + play, 0);
  for (const side of SIDES) {
    const players = presentPlayers(lineUps[side]);
    const score = (step: number, points: 1 | 2 | 3) => {
      const scorer = pickWeighted(players, weightOf('points'), random);
      note(step, side, scorer, 'points', points);
      for (const stat of SHOTS[points]) note(step, side, scorer, stat);
      if (points === 1 || !random.chance(ASSISTED)) return;
      const others = players.filter((player) => player !== scorer);
      note(step, side, pickWeighted(others, weightOf('assists'), random), 'assists');
    };
    for (const [index, { scored }] of steps.entries()) {
      for (let left = scored[side]; left > 0; ) {
        const points = basket(left, random.next());
        score(index, points);
        left -= points;
      }
    }
    const happens = (mean: number, stats: readonly string[], weight: (member: LineupPlayer) => number) => {
      for (let rest = drawPoisson((mean * pointsEach * length) / 100, random); rest > 0; rest--) {
        const [step, who] = [pick(), pickWeighted(players, weight, random)];
        for (const stat of stats) note(step, side, who, stat);
      }
    };
    for (const [what, stats] of MISSES) happens(PER_100_POINTS[what], stats, weightOf('minutes'));
    for (const [what, stats] of BOARDS) happens(PER_100_POINTS[what], stats, weightOf('rebounds'));
    for (const player of players) {
      const minutes = (shareOf(player).minutes / 48) * (pointsEach > 90 ? 48 : 40) * length;
      let [before, sum] = [0, 0];
      for (const [index, { play }] of steps.entries()) {
        sum += play;
        const now = all === 0 ? 0 : Math.floor((minutes * sum) / all);
        note(index, side, player, 'minutes', now - before);
        before = now;
      }
    }
  }
}

/** The points of the next basket, given the points left. */
function basket(left: number, draw: number): 1 | 2 | 3 {
  if (left === 1) return 1;
  if (left === 2) return draw < 0.82 ? 2 : 1;
  if (left === 3) return draw < 0.6 ? 3 : draw < 0.9 ? 2 : 1;
  return draw < 0.3 ? 3 : draw < 0.85 ? 2 : 1;
}

function expectations(lineUps: readonly [Lineup, Lineup], scored: Pair, pointsEach: number): Expectation[] {
  return SIDES.flatMap((side) => {
    const players = presentPlayers(lineUps[side]);
    const partOf = (what: keyof Share, member: LineupPlayer) =>
      weightOf(what)(member) / players.reduce((sum, player) => sum + weightOf(what)(player), 0);
    const boards = ((PER_100_POINTS.offensiveRebounds + PER_100_POINTS.defensiveRebounds) * pointsEach) / 100;
    return players
      .filter(({ starter }) => starter)
      .flatMap((member) => {
        const points = scored[side] * partOf('points', member);
        const rebounds = boards * partOf('rebounds', member);
        const assists = ((scored[side] * BASKETS) / 100) * ASSISTED * partOf('assists', member);
        const all = points + rebounds + assists;
        return [
          { member, side, stat: 'points', mean: points, deviation: Math.sqrt(2.5 * points) },
          { member, side, stat: 'rebounds', mean: rebounds },
          { member, side, stat: 'assists', mean: assists },
          { member, side, stat: 'points_rebounds_assists', mean: all, deviation: Math.sqrt(2.2 * all) },
        ];
      });
  });
}

/** @param pointsEach points of an average team */
export const basketballBox = (pointsEach: number): SportBox => ({
  counted: { ofPlayer: () => OF_PLAYERS, sums: COUNTED, ofSide: [] },
  count: (course, tally) => count(course, tally, pointsEach),
  expectations: (lineUps, scored) => expectations(lineUps, scored, pointsEach),
});
