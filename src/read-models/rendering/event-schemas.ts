import { z } from 'zod';
import { EVENT_STATUSES, RESULT_TYPES } from '../../domain/catalogue/catalogue.ts';
import { FEE_MODELS } from '../../domain/feed/book-message.ts';
import { THREE_WAY } from '../../domain/odds/three-way.ts';
import { forecastWager } from './forecast-wager-schema.ts';

/** Schemas of the answers about events. The API returns exactly these members. */
const nullable = <T extends z.ZodType>(schema: T) => schema.nullable();
export const id = z.int();
export const time = z.string().meta({ description: 'UTC, ISO 8601 with a trailing Z', format: 'date-time' });

const venueSummary = z.object({
  id: nullable(id),
  name: nullable(z.string()),
  city: nullable(z.string()),
  surface: nullable(z.string()),
  roof_type: nullable(z.string()),
  timezone: nullable(z.string()),
});
const venueDetail = venueSummary.extend({ country: nullable(z.string()), capacity: nullable(z.int()) });

const competition = z.object({
  id,
  name: z.string(),
  surface: nullable(z.enum(['clay', 'grass', 'hard', 'indoor_hard'])),
  tier: nullable(z.enum(['grand_slam', 'masters_1000', 'atp_500', 'atp_250', 'wta_1000', 'wta_500', 'wta_250'])),
});

const periodScore = z.object({
  period: z.string(),
  score: z.int(),
  tiebreak: nullable(z.int()),
  confirmed: z.boolean(),
});

export const participant = z.object({
  participant_id: id,
  role: z.enum(['home', 'away', 'player_1', 'player_2']),
  score: nullable(z.string()),
  game_score: nullable(z.string()),
  is_winner: nullable(z.boolean()),
  team: nullable(
    z.object({
      id: nullable(id),
      name: z.string(),
      abbreviation: nullable(z.string()),
      country_code: nullable(z.string()),
      image_url: nullable(z.string()),
    }),
  ),
  player: nullable(
    z.object({
      id: nullable(id),
      name: z.string(),
      country_code: nullable(z.string()),
      image_url: nullable(z.string()),
    }),
  ),
  period_scores: z.array(periodScore),
});

const status = z.enum(EVENT_STATUSES);
const eventSummary = z
  .object({
    id,
    name: z.string(),
    sport: z.string(),
    league: z.string(),
    season_id: id,
    starts_at: time,
    scheduled_start_at: nullable(time),
    starts_at_qualifier: nullable(z.enum(['exact', 'not_before', 'following', 'tbd'])),
    inprogress_since: nullable(time),
    status,
    result_type: nullable(z.enum(RESULT_TYPES)),
    period: nullable(z.string()),
    period_label: nullable(z.string()),
    clock: nullable(z.string()),
    round: nullable(z.string()),
    neutral_site: z.boolean(),
    competition: nullable(competition),
    venue: venueSummary,
  })
  .meta({ id: 'EventSummary' });

const scoresPart = {
  participants: z.array(participant),
  draw_type: nullable(z.enum(['singles', 'doubles'])),
  broadcast: nullable(z.string()),
  court: nullable(z.string()),
  order_of_play: nullable(z.int()),
};
/** A list item; the score members appear only with `include_scores=true`. */
export const eventListItem = eventSummary.extend(z.object(scoresPart).partial().shape).meta({ id: 'EventListItem' });

/** Of a price far outside all others of its line, until it is repeated or another book comes near; else left out. */
export const suspect = z.literal(true).optional().meta({
  description:
    'Present while the price lies far outside every other of its line and nothing confirms it: it then counts nowhere.',
});
const levels = z
  .array(z.array(z.number()).length(2))
  .meta({ description: 'Price as a probability, and the money that can be staked at it; best first.' });
const outcome = z.object({
  outcome: z.string(),
  price: z.int(),
  point: nullable(z.number()),
  suspect,
  bids: levels.optional(),
  asks: levels.optional(),
  last: nullable(z.number()).optional().meta({ description: 'Price of the last trade, as a probability.' }),
  volume: nullable(z.number()).optional().meta({ description: 'Money that was traded.' }),
});
const fee = z
  .object({
    model: z.enum(FEE_MODELS),
    rate: z.number(),
    exponent: z.number().optional(),
    taker_only: z.boolean().optional(),
    rounding: z.number().optional(),
    from: time,
  })
  .meta({ id: 'VenueFee' });
const market = z.object({
  key: z.enum(['h2h', 'spreads', 'totals', THREE_WAY]),
  label: z.enum(['moneyline', 'spread', 'totals', '3-way moneyline']),
  outcomes: z.array(outcome),
  fee: nullable(fee).optional(),
});
export const odds = z
  .object({
    event_id: id,
    available: z.boolean(),
    bookmakers: z.array(z.object({ bookmaker: z.string(), markets: z.array(market), captured_at: time })),
    last_updated: nullable(time),
  })
  .meta({ id: 'Odds' });

const price = z.int().nullable();
const probability = z.number();
const offer = { book: z.string(), price: z.int(), quote_age_seconds: z.int() };
const bet = z
  .object({
    bet_type: z.string(),
    player_role: nullable(participant.shape.role),
    player_name: nullable(z.string()),
    player_id: nullable(id),
    team_id: nullable(id),
    probability: nullable(probability).meta({ description: 'The server’s own forecast; it has seen no price.' }),
    interval: nullable(z.array(z.number()).length(2)),
    fair_price: price,
    market: z.object({ book: nullable(z.string()), price, line: nullable(z.number()) }),
    edge: nullable(z.number()),
    tier: nullable(z.enum(['very_high', 'strong', 'moderate', 'avoid'])),
    fair: nullable(
      z.object({ probability, books: z.array(z.string()), n_books: z.int(), is_consensus: z.boolean() }),
    ).meta({ description: 'The market’s view, without the bookmakers’ margin.' }),
    edges_by_book: nullable(z.record(z.string(), z.number())),
    best: nullable(z.object({ ...offer, edge: z.number() })),
    ev: nullable(
      z.object({
        beta: z.literal(true),
        ...offer,
        ev_pct: z.number(),
        kelly_fraction: z.number(),
        n_books: z.int(),
        size: z
          .number()
          .optional()
          .meta({ description: 'Of an exchange: the money that can be staked at its best price.' }),
      }),
    ),
    narrative: nullable(z.string()),
    computed_at: nullable(time),
    blend: nullable(z.object({ probability, weight: z.number(), n: z.int() })).meta({
      description:
        'The fair price, moved towards the forecast as far as `n` past games of the sport and market support: `weight` 0 is the fair price, 1 the forecast.',
    }),
  })
  .meta({ id: 'Bet' });

export const intelligence = z
  .object({
    event_id: id,
    available: z.boolean(),
    learning: z.literal(true).optional().meta({
      description:
        'Present while the server still learns results of the league that are in its log: until then there is no forecast.',
    }),
    sport: nullable(z.string()),
    league: nullable(z.string()),
    odds_source: nullable(z.string()),
    players: z.record(
      z.string(),
      z.object({ name: nullable(z.string()), player_id: nullable(id), team_id: nullable(id) }),
    ),
    has_recommend: nullable(z.boolean()),
    intelligence_updated_at: nullable(time),
    match_overview: nullable(z.string()),
    rationale: nullable(z.array(z.string())),
    bets: z.array(bet),
    forecasts: z.array(forecastWager),
    matchup: z.null(),
  })
  .meta({ id: 'Intelligence' });

export const eventDetail = eventSummary
  .extend({
    ...scoresPart,
    game_number: nullable(z.int()),
    venue: venueDetail,
    updated_at: time,
    odds: odds.optional(),
    intelligence: intelligence.optional(),
  })
  .meta({ id: 'EventDetail' });

const winProbability = z.object({ home: z.number(), away: z.number(), draw: z.number().optional() });
export type WinProbability = z.infer<typeof winProbability>;

export const scoreSnapshot = z
  .object({
    event_id: id,
    status,
    period: nullable(z.string()),
    period_label: nullable(z.string()),
    clock: nullable(z.string()),
    scores: z.array(
      z.object({
        role: participant.shape.role,
        name: z.string(),
        abbreviation: nullable(z.string()),
        score: nullable(z.string()),
        game_score: nullable(z.string()),
        is_winner: nullable(z.boolean()),
        period_scores: z.array(periodScore),
      }),
    ),
    updated_at: time,
    win_probability: nullable(winProbability).optional().meta({
      description:
        'Only in a stream with `include_probability=true`: as `get_probabilities` has it for now, `home` being the first player in tennis; null if unknown.',
    }),
  })
  .meta({ id: 'ScoreSnapshot' });

export type EventSummary = z.infer<typeof eventSummary>;
export type EventListItem = z.infer<typeof eventListItem>;
export type EventDetail = z.infer<typeof eventDetail>;
export type ScoreSnapshot = z.infer<typeof scoreSnapshot>;
export type Odds = z.infer<typeof odds>;
export type Intelligence = z.infer<typeof intelligence>;
export type BetIntelligence = z.infer<typeof bet>;
export type Participant = z.infer<typeof participant>;
