import { z } from 'zod';
import { LEG_SIDES } from '../../../domain/grading/leg.ts';
import { LEG_RESULTS } from '../../../domain/grading/leg-result.ts';
import { LEG_SCOPES } from '../../../domain/grading/leg-scope.ts';
import { DAY } from '../../../domain/primitives/time.ts';
import { id, time } from '../../../read-models/rendering/event-schemas.ts';
import { badRequest } from '../../calls/api-errors.ts';
import { flatCost, type Operation } from '../../calls/operation/operation.ts';
import { answerTable } from '../../calls/operation/table.ts';
import { date, entityId, limit, readDate } from '../shared/parameters.ts';
import { type EvaluatedBet, evaluateBets } from './evaluate-bets.ts';

const query = z.object({
  after_id: entityId('Cursor: only bets with smaller ids.').optional(),
  from: date('Only bets placed on this UTC day or later.'),
  to: date('Only bets placed on this UTC day or earlier.'),
  limit: limit(),
});
type Query = z.infer<typeof query>;

const bet = z
  .object({
    id: z.int(),
    event_id: id,
    sport: z.string(),
    home_team: z.string().nullable(),
    away_team: z.string().nullable(),
    starts_at: time.nullable(),
    market_key: z.string(),
    side: z.enum(LEG_SIDES),
    line: z.number().nullable(),
    player_id: z.int().nullable(),
    team_id: z.int().nullable(),
    price: z.int(),
    stake: z.number(),
    book: z.string(),
    placed_at: time,
    created_at: time,
    grade: z.enum(LEG_RESULTS).nullable().meta({ description: 'As of the leg of a slip, by the facts known now.' }),
    message: z
      .string()
      .nullable()
      .meta({ description: 'Why it did not settle, or is void; `half won` and `half lost` of a quarter line.' }),
    closing_fair_price: z.int().nullable().meta({
      description:
        'The fair closing price in American odds; null before the start, and where the closing line is another.',
    }),
    clv: z.number().nullable().meta({
      description:
        'How much better the price was than the fair closing price, a fraction; null without one, and of a bet placed after the start.',
    }),
    profit: z.number().nullable().meta({ description: 'In the unit of the stake; null until it is settled.' }),
    scope: z.enum(LEG_SCOPES).optional().meta({ description: 'The part of the event; absent: all of it.' }),
    decimal: z.number().nullable().meta({
      description:
        'The decimal odds that were given, by which it pays; null: it was given in American odds, and pays by `price`.',
    }),
  })
  .meta({ id: 'OwnBet' }) satisfies z.ZodType<EvaluatedBet>;

const output = z.object({ bets: z.array(bet), next_after_id: z.int().nullable() });
type Output = z.infer<typeof output>;

export const listBets: Operation<object, Query, object, Output> = {
  name: 'list_bets',
  method: 'GET',
  path: '/v1/bets',
  tag: 'Bets',
  summary: 'The account’s own bets, newest first, each with grade, fair closing price, closing value and profit.',
  hint: 'They are computed anew each time, so they follow corrections.',
  input: { query },
  output,
  table: answerTable(bet, ({ bets }: Output) => bets),
  errors: ['bad_request'],
  cost: flatCost(0),
  async run({ after_id: afterId, from, to, limit: pageSize }, context) {
    const [first, last] = [from, to].map((day, index) =>
      day === undefined ? undefined : readDate(index ? 'to' : 'from', day),
    );
    if (first !== undefined && last !== undefined && first > last) throw badRequest('from must not lie after to');
    const found = await context.bets.list(context.principal, {
      afterId,
      from: first,
      to: last === undefined ? undefined : last + DAY,
      limit: pageSize + 1,
    });
    const bets = await evaluateBets(found.slice(0, pageSize), context);
    return { bets: [...bets], next_after_id: found.length > pageSize ? bets.at(-1)!.id : null };
  },
};
