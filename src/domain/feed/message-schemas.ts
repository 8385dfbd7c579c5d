import { z } from 'zod';
import { BOOKMAKER_SLUG, EVENT_STATUSES, INJURY_STATUSES, RESULT_TYPES } from '../catalogue/catalogue.ts';
import {
  common,
  event,
  gameNumber,
  league,
  price,
  ref,
  safeInteger,
  side,
  slug,
  text,
  time,
  venue,
} from './message-fields.ts';

const member = z.looseObject({ ref: ref.optional(), name: text });
const participant = z.looseObject({
  role: side,
  ref: ref.optional(),
  name: text,
  abbreviation: text.optional(),
  country_code: text.optional(),
  placeholder: z.boolean().optional(),
  members: z.array(member).length(2).optional(),
});
export type ScheduleParticipant = z.infer<typeof participant>;

export const scheduleMessage = z.looseObject({
  kind: z.literal('schedule'),
  ...common,
  ...league,
  ref,
  refs: z.record(slug, ref).optional(),
  season: z
    .looseObject({
      year: safeInteger.min(1800).max(2999),
      name: text.optional(),
      phase: z.enum(['preseason', 'regular_season', 'playoffs']),
      start_date: z.iso.date().optional(),
      end_date: z.iso.date().optional(),
    })
    .optional(),
  starts_at: time,
  starts_at_qualifier: z.enum(['exact', 'not_before', 'following', 'tbd']).optional(),
  participants: z.array(participant).length(2),
  game_number: gameNumber.optional(),
  round: text.optional(),
  neutral_site: z.boolean().optional(),
  competition: z
    .looseObject({
      name: text,
      surface: z.enum(['clay', 'grass', 'hard', 'indoor_hard']).optional(),
      tier: z.enum(['grand_slam', 'masters_1000', 'atp_500', 'atp_250', 'wta_1000', 'wta_500', 'wta_250']).optional(),
    })
    .optional(),
  venue: venue.optional(),
  broadcast: text.optional(),
  court: text.optional(),
  order_of_play: safeInteger.min(1).max(10_000).optional(),
  draw_type: z.enum(['singles', 'doubles']).optional(),
  status: z.enum(EVENT_STATUSES).optional(),
});

export const teamMessage = z.looseObject({
  kind: z.literal('team'),
  ...common,
  ...league,
  ref,
  slug: text.optional(),
  name: text,
  short_name: text.optional(),
  abbreviation: text,
  city: text.optional(),
  state: text.optional(),
  country_code: text.optional(),
  conference: text.optional(),
  division: text.optional(),
  fifa_rank: safeInteger.min(1).optional(),
  image_url: z.string().max(2000).optional(),
  venue: venue.optional(),
  aliases: z.array(text).max(200).optional(),
  is_active: z.boolean().optional(),
});

export const playerMessage = z.looseObject({
  kind: z.literal('player'),
  ...common,
  sport: league.sport,
  league: league.league.optional(),
  ref,
  full_name: text,
  first_name: text.optional(),
  last_name: text.optional(),
  country_code: text.optional(),
  birthdate: z.iso.date().optional(),
  position: text.optional(),
  handedness: z.enum(['left', 'right', 'switch']).optional(),
  height_cm: z.number().min(0).max(400).optional(),
  weight_kg: z.number().min(0).max(500).optional(),
  team_ref: ref.optional(),
  tennis_ranking: safeInteger.min(1).optional(),
  tennis_ranking_points: safeInteger.min(0).optional(),
  image_url: z.string().max(2000).optional(),
  aliases: z.array(text).max(200).optional(),
  is_active: z.boolean().optional(),
  retired_at: z.string().max(40).optional(),
});

const periodScore = z.looseObject({ period: text, score: safeInteger, tiebreak: safeInteger.optional() });
export const scoreMessage = z.looseObject({
  kind: z.literal('score'),
  ...common,
  ...event,
  status: z.enum(EVENT_STATUSES),
  period: text.optional(),
  clock: text.optional(),
  result_type: z.enum(RESULT_TYPES).optional(),
  scores: z
    .array(
      z.looseObject({
        role: side,
        score: z.string().max(100).optional(),
        game_score: z.string().max(20).optional(),
        period_scores: z.array(periodScore).max(60).optional(),
        is_winner: z.boolean().optional(),
      }),
    )
    .max(2)
    .optional(),
  inprogress_since: time.optional(),
});

export const MATCH_SCOPES = ['match', '1H', 'F5', 'S1'] as const;
export const OUTCOMES = ['home', 'away', 'draw', 'over', 'under', 'player_1', 'player_2'] as const;
export const MARKET_KEY = /^[a-z0-9_]{1,60}$/;
const outcome = z.looseObject({
  outcome: z.enum(OUTCOMES),
  price,
  /** The decimal price (including the stake) as the source states it. */
  decimal: z.number().optional(),
  point: z.number().min(-100_000).max(100_000).optional(),
  team: z.enum(['home', 'away']).optional(),
  player: text.optional(),
  player_ref: ref.optional(),
});
export type FeedOutcome = z.infer<typeof outcome>;
export const oddsMessage = z.looseObject({
  kind: z.literal('odds'),
  ...common,
  ...event,
  bookmaker: z.string().regex(BOOKMAKER_SLUG, 'must match [a-z0-9_]{1,40}'),
  markets: z
    .array(
      z.looseObject({
        key: z.string().regex(MARKET_KEY, 'must match [a-z0-9_]{1,60}'),
        scope: z.enum(MATCH_SCOPES).optional(),
        alternate: z.boolean().optional(),
        complete: z.boolean().optional(),
        outcomes: z.array(outcome).max(2000),
      }),
    )
    .max(500),
});

const percent = z.number().int().min(0).max(100);
const splitSide = z.looseObject({
  bets_pct: percent,
  handle_pct: percent,
  price: price.optional(),
  line: z.number().min(-100_000).max(100_000).optional(),
});
const sides = z.looseObject({ home: splitSide.optional(), away: splitSide.optional() });
export const splitsMessage = z.looseObject({
  kind: z.literal('splits'),
  ...common,
  ...event,
  bookmaker: z.string().regex(BOOKMAKER_SLUG, 'must match [a-z0-9_]{1,40}').optional(),
  markets: z.looseObject({
    moneyline: sides.optional(),
    spread: sides.optional(),
    total: z.looseObject({ over: splitSide.optional(), under: splitSide.optional() }).optional(),
  }),
});

export const injuryMessage = z.looseObject({
  kind: z.literal('injury'),
  ...common,
  ...event,
  sport: league.sport.optional(),
  league: league.league.optional(),
  player_ref: ref.optional(),
  player: text.optional(),
  team_ref: ref.optional(),
  team: text.optional(),
  status: z.enum(INJURY_STATUSES).optional(),
  body_part: text.optional(),
  note: z.string().max(4000).optional(),
  source_url: z.string().max(2000).optional(),
  checked: z.boolean().optional(),
});

const stats = z.record(z.string().max(100), z.number());
export const boxMessage = z.looseObject({
  kind: z.literal('box'),
  ...common,
  ...event,
  final: z.boolean().optional(),
  teams: z
    .looseObject({
      home: stats.optional(),
      away: stats.optional(),
      player_1: stats.optional(),
      player_2: stats.optional(),
    })
    .optional(),
  players: z
    .array(
      z.looseObject({
        ref,
        name: text,
        role: side,
        starter: z.boolean().optional(),
        dnp: z.boolean().optional(),
        stats,
      }),
    )
    .max(400)
    .optional(),
});

const lineupSide = z.looseObject({
  formation: text.optional(),
  players: z
    .array(
      z.looseObject({
        ref: ref.optional(),
        name: text,
        position: text.optional(),
        jersey: z.union([text, safeInteger]).optional(),
        formation_place: z.union([text, safeInteger]).optional(),
        starter: z.boolean(),
      }),
    )
    .max(100),
});
const starter = z.looseObject({ ref: ref.optional(), name: text });
export const lineupMessage = z.looseObject({
  kind: z.literal('lineup'),
  ...common,
  ...event,
  teams: z.looseObject({ home: lineupSide.optional(), away: lineupSide.optional() }),
  probable_starters: z.looseObject({ home: starter.optional(), away: starter.optional() }).optional(),
});
