import type { SportSlug } from '../../../domain/catalogue.ts';
import type { Bookmaker } from '../books/bookmakers.ts';
import type { OfferedOutcome, outcomesOf } from '../books/lines.ts';
import type { Step } from '../boxes/course.ts';
import type { TimedBox } from '../boxes/event-boxes.ts';
import type { LineUp } from '../boxes/line-up.ts';
import type { Moment } from '../moment.ts';
import type { Random } from '../random.ts';
import type { Expected } from './scopes.ts';

/** Markets beside those of the match: of a period, of a side, of a player. */
export interface SideOutcome extends Partial<OfferedOutcome> {
  readonly team?: 'home' | 'away';
  readonly player?: string;
  readonly player_ref?: string;
}
export interface SideMarket {
  readonly key: string;
  readonly scope?: '1H' | 'F5' | 'S1';
  readonly complete?: false;
  readonly outcomes: readonly SideOutcome[];
}
export interface SideQuote {
  readonly second: number;
  readonly markets: readonly SideMarket[];
}

export interface SideWatching {
  readonly sport: SportSlug;
  readonly roles: Parameters<typeof outcomesOf>[2];
  readonly book: Bookmaker;
  /** Before the start, at negative seconds. */
  readonly opinions: readonly Moment[];
  /** What the game truly is. */
  readonly expected: Expected;
  readonly steps: readonly Step[];
  readonly lineUps: readonly [LineUp, LineUp];
  readonly boxes: readonly TimedBox[];
  readonly random: Random;
}
