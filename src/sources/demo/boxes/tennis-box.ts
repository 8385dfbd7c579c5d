import type { Pair } from '../simulation/chances.ts';
import { isSetOver } from '../simulation/tennis-model.ts';
import type { SportBox, TallyWriter } from './box-tally.ts';
import { otherSide, SIDES, type SideIndex } from './box-tally.ts';
import type { PlayedGame } from './played-game.ts';

const FIRST_SERVE = 0.62;
const ACE = 0.095;
const DOUBLE_FAULT = 0.07;
/** Probability that a game goes to deuce (40-40). */
const DEUCE = 0.25;
const FEW_POINTS = [0, 1, 1, 2, 2];

/** Points on the serve of one player. */
interface Serving {
  first: number;
  firstWon: number;
  second: number;
  secondWon: number;
}

function count({ steps, random }: PlayedGame, { note }: TallyWriter): void {
  const serving = SIDES.map((): Serving => ({ first: 0, firstWon: 0, second: 0, secondWon: 0 }));
  const shown = SIDES.map((): Record<string, number> => ({}));
  let server: SideIndex | null = null;
  const sets: Pair[] = [];

  /** Counts the points of a game on the serve of player `by`. @param won points of the server and of the returner */
  function play(step: number, by: SideIndex, won: Pair): void {
    const own = serving[by]!;
    const other = otherSide(by);
    note(step, by, null, 'total_points_won', won[0]);
    note(step, other, null, 'total_points_won', won[1]);
    for (let point = 0; point < won[0] + won[1]; point++) {
      const isWon = point < won[0];
      const isFirst = random.chance(isWon ? FIRST_SERVE + 0.04 : FIRST_SERVE - 0.08);
      if (isFirst) own.first++;
      else own.second++;
      if (isWon && isFirst) own.firstWon++;
      if (isWon && !isFirst) own.secondWon++;
      if (isWon && isFirst && random.chance(ACE / FIRST_SERVE)) note(step, by, null, 'aces');
      if (!isWon && !isFirst && random.chance(DOUBLE_FAULT / (1 - FIRST_SERVE))) note(step, by, null, 'double_faults');
    }
  }
  function show(step: number): void {
    for (const side of SIDES) {
      const { first, firstWon, second, secondWon } = serving[side]!;
      const shares = {
        first_serve_pct: share(first, first + second),
        first_serve_points_won_pct: share(firstWon, first),
        second_serve_points_won_pct: share(secondWon, second),
      };
      for (const [stat, value] of Object.entries(shares)) {
        note(step, side, null, stat, value - (shown[side]![stat] ?? 0));
        shown[side]![stat] = value;
      }
    }
  }

  for (const [index, { scored, isKeyEvent }] of steps.entries()) {
    if (scored[0] + scored[1] === 0) continue;
    const winner: SideIndex = scored[0] > 0 ? 0 : 1;
    const set = sets.at(-1) ?? [0, 0];
    // The first game shows who served first: its winner, unless it was a break.
    server ??= isKeyEvent ? otherSide(winner) : winner;
    const isTieBreak = set[0] === 6 && set[1] === 6;
    const isBreak = winner !== server;
    if (isTieBreak) {
      const [most, least] = [7, random.index(6)];
      // Half of the points are on each serve.
      play(index, winner, [Math.ceil(most / 2), Math.floor(least / 2)]);
      play(index, otherSide(winner), [Math.ceil(least / 2), Math.floor(most / 2)]);
    } else {
      const beyond = random.chance(DEUCE) ? 1 + random.index(3) : 0;
      const [most, least] = beyond > 0 ? [4 + beyond, 2 + beyond] : [4, random.pick(FEW_POINTS)];
      play(index, server, isBreak ? [least, most] : [most, least]);
      const faced = isBreak ? 1 + random.index(2) : beyond > 0 ? random.index(3) : 0;
      note(index, server, null, 'break_points_faced', faced);
      if (isBreak) note(index, winner, null, 'break_points_won');
    }
    server = otherSide(server);
    const after: Pair = [set[0] + scored[0], set[1] + scored[1]];
    sets[Math.max(0, sets.length - 1)] = after;
    if (isSetOver(after)) sets.push([0, 0]);
    show(index);
  }
}

const share = (part: number, all: number): number => (all === 0 ? 0 : Math.round((100 * part) / all));

/** The sides are the players, so they need no rows of their own. */
export const tennisBox: SportBox = {
  counted: {
    ofPlayer: () => [],
    sums: [],
    ofSide: [
      'aces',
      'double_faults',
      'first_serve_pct',
      'first_serve_points_won_pct',
      'second_serve_points_won_pct',
      'break_points_won',
      'break_points_faced',
      'total_points_won',
    ],
  },
  count,
};
