import { z } from 'zod';

const price = z.int().nullable();

/** A forecast of one outcome of one event: of a player's statistic or of a main line. */
export const forecastWager = z
  .object({
    event_id: z.int(),
    sport: z.string(),
    league: z.string(),
    player: z.string().nullable(),
    player_id: z.int().nullable(),
    bet_type: z.string().nullable(),
    player_role: z.string().nullable(),
    market: z.string(),
    line: z.number().nullable(),
    side: z.string(),
    p_hit: z.number(),
    interval: z.array(z.number()).length(2),
    sufficiency: z.number(),
    reliability: z.enum(['emerging', 'established']),
    conviction: z.number(),
    model_version: z.string(),
    selected: z.boolean(),
    books: z.record(z.string(), z.record(z.string(), price)),
    drivers: z.array(
      z.object({ id: z.string(), input: z.number(), effect: z.number(), direction: z.enum(['up', 'down', 'none']) }),
    ),
    research: z.object({ note: z.string() }).nullable(),
  })
  .meta({ id: 'ForecastWager' });

export type ForecastWager = z.infer<typeof forecastWager>;
