import type { Pair } from '../books/chances.ts';
import type { Course } from './course.ts';
import type { LineUp, Member } from './line-up.ts';
import type { Counted, SideIndex, Tally } from './tally.ts';

/** What a bookmaker expects of a player in a whole game. */
export interface Expectation {
  readonly member: Member;
  readonly side: SideIndex;
  readonly stat: string;
  readonly mean: number;
  /** Of a sum of many; absent for what is counted one by one. */
  readonly deviation?: number;
}

export type Noting = Pick<Tally, 'note'>;

/** How a sport is counted. */
export interface SportBox {
  readonly counted: Counted;
  /** Notes all that happens in a game. */
  readonly count: (course: Course, tally: Noting) => void;
  /** @param scored what either side is expected to score. @returns what is offered as a player prop */
  readonly expectations?: (lineUps: readonly [LineUp, LineUp], scored: Pair) => Expectation[];
}
