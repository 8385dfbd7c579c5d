import { z } from 'zod';
import { LEG_SIDES } from '../../../domain/grading/leg.ts';
import { BET_RESULTS, LEG_RESULTS } from '../../../domain/grading/leg-result.ts';
import { LEG_SCOPES } from '../../../domain/grading/leg-scope.ts';
import { time } from '../../../read-models/rendering/event-schemas.ts';
import { SLIP_STATUSES } from '../../../text/slips/slip-summary.ts';

/** Schemas of answers about slips. */

const candidate = z.record(z.string(), z.unknown());
const resolveStatus = z.enum(['resolved', 'ambiguous', 'not_found']);
/** A position in the log, in decimal. */
export const positionSchema = z.string();

export const groundSchema = z.object({
  position: positionSchema,
  type: z.string(),
  source: z.string(),
  at: z.string(),
  recorded_at: z.string(),
});

const market = z.object({
  event_id: z.int().nullable(),
  market_key: z.string().nullable(),
  line: z.number().nullable().meta({ description: 'Null on h2h.' }),
  side: z.enum(LEG_SIDES).nullable(),
  scope: z.enum(LEG_SCOPES).optional().meta({ description: 'The part of the event; absent: all of it.' }),
  settleable: z.boolean().meta({ description: 'The facts that settle the leg are there.' }),
  home_team: z.string().optional().meta({ description: 'From here on: absent where unmapped.' }),
  away_team: z.string().optional(),
  starts_at: time.optional(),
  home_score: z.number().nullable().optional().meta({
    description: 'The number that settles: of soccer that of 90 minutes, of tennis games. Null before the start.',
  }),
  away_score: z.number().nullable().optional(),
});

const gradedLeg = z.object({
  result: z.enum(LEG_RESULTS).nullable().meta({ description: 'Null where the leg is unmapped.' }),
  result_detail: z.enum(BET_RESULTS).nullable().meta({
    description:
      'What it comes to for the side that was taken. Null until it is settled. `ungradeable`: its part of the event has no score.',
  }),
  payout_factor: z.number().nullable().meta({
    description:
      'What one unit of stake comes back as, from 0 to the decimal price. Null where it is won without a price.',
  }),
  payout: z.number().nullable().optional().meta({
    description: 'What its stake comes back as, the stake included. Only where the leg has a stake.',
  }),
  current: z.number().nullable().meta({ description: 'The number that is compared with the line; null on h2h.' }),
  message: z.string().nullable().meta({ description: 'Why the leg did not settle, or is void.' }),
  market,
  resolve: z.object({
    status: resolveStatus.nullable(),
    player_id: z.int().nullable(),
    display_name: z.string().nullable(),
    candidates: z.array(candidate),
  }),
  team_resolve: z
    .object({
      status: resolveStatus,
      team_id: z.int().nullable(),
      display_name: z.string().nullable(),
      candidates: z.array(candidate),
    })
    .nullable(),
  event_resolve: z
    .object({
      status: resolveStatus,
      event_id: z.int().nullable(),
      candidates: z.array(z.object({ event_id: z.int(), name: z.string(), starts_at: time })),
      message: z.string().nullable(),
    })
    .nullable(),
  input: z.record(z.string(), z.unknown()).meta({ description: 'The leg as it was sent, or as its text was read.' }),
  facts: z
    .array(groundSchema)
    .meta({ description: 'The entries of the log that the result, or the present state, rests on.' }),
});

const texts = z.array(z.string());

export const gradedSlip = z.object({
  status: z.enum(SLIP_STATUSES),
  legs: z.array(gradedLeg),
  summary: z.object({
    graded: z.int(),
    pending: z.int(),
    unmapped: z.int(),
    hits: z.int(),
    misses: z.int(),
    pushes: z.int(),
    voids: z.int(),
  }),
  payout: z.number().nullable().optional().meta({
    description:
      'What the stake of the parlay comes back as: 0 once a leg is lost, null while it is open or a price is unknown. Only where the slip has a stake.',
  }),
  branding: z.object({ name: z.string(), url: z.string(), attribution: z.string() }),
  honesty: z.object({
    rules_version: z.string(),
    house_rules: z.record(z.string(), texts).meta({ description: 'By sport.' }),
    not_graded: texts,
    note: z.string(),
  }),
  rules: z
    .object({ book: z.string(), exchange: z.boolean(), source: z.string(), date: z.string() })
    .optional()
    .meta({ description: 'The rule set that was asked for, where one was.' }),
  slip_id: z.null(),
  receipt: z
    .object({ id: z.string(), graded_at: time, position: positionSchema })
    .nullable()
    .meta({ description: 'Of every charged grade. Its `position` is its own place in the log.' }),
});
export type GradedSlip = z.infer<typeof gradedSlip>;
export type GradedLeg = GradedSlip['legs'][number];
