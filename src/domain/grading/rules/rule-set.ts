import { z } from 'zod';
import { BUILT_IN_SLUGS } from '../../catalogue/built-in-sports.ts';
import { parseDate } from '../../primitives/time.ts';

/** By when the moneyline of a tennis match in which a player retires stands. */
const RETIREMENTS = ['first_set', 'match_complete', 'started'] as const;

const sportRules = z.strictObject({
  /** Whether overtime, extra innings or extra time count in bets on the whole event. */
  overtime: z.boolean().nullable(),
  /** What a level score makes of a moneyline without a draw. */
  ties: z.enum(['push', 'lost']).nullable(),
  /** A game that is moved by more hours than these is void. */
  postponement_hours: z.int().positive().nullable(),
  /** What is left of an event that was not played to its end: nothing, what was decided by then, or its score. */
  abandoned: z.enum(['void', 'decided', 'score']).nullable(),
  /** Whether bets are void if a listed pitcher does not start. */
  listed_pitchers: z.boolean().nullable(),
  /** A game that was shorter is not played to its end. */
  minimum_minutes: z.int().positive().nullable(),
  retirement: z.enum(RETIREMENTS).nullable(),
  /** Whether overtime counts in bets on the second half. */
  second_half_overtime: z.boolean().nullable(),
});

/** The rules of one sport. Null: the house says nothing, so the default applies. */
export type SportRules = z.infer<typeof sportRules>;
export type Topic = keyof SportRules;
export const TOPICS = Object.keys(sportRules.shape) as [Topic, ...Topic[]];

/** A sport of CONFIG has the rules of the one that it plays like. */
const ofSports = Object.fromEntries(BUILT_IN_SLUGS.map((sport) => [sport, sportRules])) as Record<
  (typeof BUILT_IN_SLUGS)[number],
  typeof sportRules
>;

/** The rules by which one bookmaker or exchange settles: a file of `docs/rules/`. */
export const ruleSet = z.strictObject({
  book: z.string().regex(/^[a-z0-9_]{1,40}$/),
  exchange: z.boolean(),
  /** The public addresses of the rules, with commas between them. */
  source: z.string().min(1),
  /** The day on which they were read. */
  date: z.string().refine((date) => parseDate(date) !== null),
  ...ofSports,
  /** Whether stakes are divided among those who share a place. Nothing that slips grade ends so. */
  dead_heat: z.boolean().nullable(),
});
export type RuleSet = z.infer<typeof ruleSet>;
