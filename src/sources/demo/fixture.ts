import type { SportSlug } from '../../domain/catalogue.ts';
import type { Side } from './cast/sides.ts';
import type { Fate, LeagueProgramme } from './leagues.ts';

/** A game of the day's programme. Seconds are simulated ones from the beginning of the day. */
export interface Fixture {
  /** The demo's own id of it, and what its draws are named after. */
  readonly ref: string;
  readonly sport: SportSlug;
  readonly league: LeagueProgramme;
  readonly startsAt: number;
  readonly announcedAt: number;
  /** Home or player_1 first. */
  readonly sides: readonly [Side, Side];
  readonly fate: Fate;
  /** Its place among the games of its league on this day, from 0. */
  readonly number: number;
}
