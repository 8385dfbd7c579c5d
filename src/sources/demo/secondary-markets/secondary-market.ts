import type { SportSlug } from '../../../domain/catalogue/catalogue.ts';
import type { Bookmaker } from '../bookmakers/demo-bookmakers.ts';
import type { OfferedOutcome, outcomesOf } from '../bookmakers/market-lines.ts';
import type { TimedBoxScore } from '../boxes/box-scores.ts';
import type { Step } from '../boxes/played-game.ts';
import type { Lineup } from '../fixtures/demo-lineups.ts';
import type { Moment } from '../simulation/game-moment.ts';
import type { Random } from '../simulation/random.ts';
import type { Expected } from './market-scopes.ts';

/** Markets apart from those of the match: of a period, a side or a player. */
export interface SecondaryOutcome extends Partial<OfferedOutcome> {
  readonly team?: 'home' | 'away';
  readonly player?: string;
  readonly player_ref?: string;
}
export interface SecondaryMarket {
  readonly key: string;
  readonly scope?: '1H' | 'F5' | 'S1';
  readonly complete?: false;
  readonly outcomes: readonly SecondaryOutcome[];
}
export interface SecondaryQuote {
  readonly second: number;
  readonly markets: readonly SecondaryMarket[];
}

export interface SecondaryQuoteInputs {
  readonly sport: SportSlug;
  readonly roles: Parameters<typeof outcomesOf>[2];
  readonly book: Bookmaker;
  /** Opinions before the start, at negative seconds. */
  readonly opinions: readonly Moment[];
  /** The true expectation of the game. */
  readonly expected: Expected;
  readonly steps: readonly Step[];
  readonly lineUps: readonly [Lineup, Lineup];
  readonly boxes: readonly TimedBoxScore[];
  readonly random: Random;
}
