import { z } from 'zod';
import { EVENT_STATUSES } from '../../domain/catalogue/catalogue.ts';
import { id } from './event-schemas.ts';

/** Schemas of the answers about period lines, team totals and player props. */
const number = z.number().nullable();
const american = z.int().nullable();
const homeAway = z.object({ home: american, away: american });
const overUnder = z.object({ over: american, under: american });
/** Absent where no price is suspect. */
const suspectOf = <Side extends string>(...sides: readonly [Side, ...Side[]]) =>
  z
    .record(z.string(), z.array(z.enum(sides)))
    .optional()
    .meta({ description: 'The sides whose price is suspect, by bookmaker.' });
const total = z.enum(['in_progress', 'over', 'under', 'push']).nullable();
const spread = z.enum(['won', 'lost', 'push']).nullable();

const envelope = {
  event_id: id,
  available: z.boolean(),
  sport: z.string(),
  status: z.enum(EVENT_STATUSES),
  period: z.string().nullable(),
  clock: z.string().nullable(),
};

/** Which side leads at the end of the scope; tennis has no tie. */
const scopeForecast = z.object({
  model_version: z.string(),
  ahead: z.object({ home: z.number(), away: z.number(), tie: number }),
});

export const periodOdds = z
  .object({
    ...envelope,
    period_odds: z.array(
      z.object({
        scope: z.enum(['1H', 'F5', 'S1']),
        market: z.enum(['first_half_spreads', 'first_half_totals']),
        line: z.number(),
        home_score: number,
        away_score: number,
        current: number,
        pct_of_line: number,
        settleable: z.boolean(),
        scope_complete: z.boolean(),
        result: total,
        home_result: spread,
        away_result: spread,
        books: z.record(z.string(), z.union([homeAway, overUnder])),
        suspect: suspectOf('home', 'away', 'over', 'under'),
        probability: z
          .union([z.object({ home: z.number(), away: z.number() }), z.object({ over: z.number(), under: z.number() })])
          .nullable()
          .optional(),
      }),
    ),
    forecast: scopeForecast.nullable().optional(),
  })
  .meta({ id: 'PeriodOdds' });

export const teamProps = z
  .object({
    ...envelope,
    team_props: z.array(
      z.object({
        team: z.string(),
        team_id: id.nullable(),
        side: z.enum(['home', 'away']),
        market: z.literal('team_total'),
        line: z.number(),
        current: number,
        pct_of_line: number,
        settleable: z.boolean(),
        result: total,
        books: z.record(z.string(), overUnder),
        suspect: suspectOf('over', 'under'),
      }),
    ),
  })
  .meta({ id: 'TeamProps' });

export const playerProps = z
  .object({
    ...envelope,
    player_props: z.array(
      z.object({
        player: z.string(),
        player_id: id.nullable(),
        team_id: id.nullable(),
        market: z.string(),
        line: z.number(),
        current: number,
        pct_of_line: number,
        settleable: z.boolean(),
        result: z.enum(['over', 'under', 'push', 'in_progress', 'dnp', 'no_stat']).nullable(),
        books: z.record(z.string(), overUnder),
        suspect: suspectOf('over', 'under'),
      }),
    ),
  })
  .meta({ id: 'PlayerProps' });

export type PeriodOdds = z.infer<typeof periodOdds>;
export type TeamProps = z.infer<typeof teamProps>;
export type PlayerProps = z.infer<typeof playerProps>;
