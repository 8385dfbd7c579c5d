import { group } from 'd3-array';
import { z } from 'zod';
import { flatCost, type Operation, type OperationContext } from '../../calls/operation/operation.ts';
import { answerTable } from '../../calls/operation/table.ts';
import { MAX_BETS } from '../../calls/services/bet-services.ts';
import { oneOf } from '../shared/parameters.ts';
import { meanOfKnown, sumOfKnown } from './bet-worth.ts';
import { createBookKeys } from './book-keys.ts';
import { type EvaluatedBet, evaluateBets } from './evaluate-bets.ts';

export const GROUPINGS = ['book', 'sport', 'market', 'month'] as const;
export type Grouping = (typeof GROUPINGS)[number];

const query = z.object({ by: oneOf('What the rows are of; `month` is that of `placed_at`, UTC.', GROUPINGS) });

/** Bets that are read at once. */
const PAGE_SIZE = 200;

const measures = {
  bets: z.int(),
  staked: z.number().meta({ description: 'Stakes of all of them, also of those that are not settled.' }),
  profit: z.number().nullable().meta({ description: 'Of those that are settled; null: none is.' }),
  clv: z.number().nullable().meta({ description: 'The mean of those that have one; null: none has.' }),
};
const row = z.object({ key: z.string(), ...measures });
const output = z.object({ by: z.enum(GROUPINGS), rows: z.array(row), total: z.object(measures) });
type Output = z.infer<typeof output>;

export const summarizeBets: Operation<object, z.infer<typeof query>, object, Output> = {
  name: 'summarize_bets',
  method: 'GET',
  path: '/v1/bets/summary',
  tag: 'Bets',
  summary: 'Stakes, profit and closing value of the account’s own bets, by book, sport, market or month.',
  input: { query },
  output,
  table: answerTable(row, ({ rows }: Output) => rows),
  cost: flatCost(0),
  sharedLimit: () => 'slip_grading',
  async run({ by }, context) {
    const evaluated = await evaluateAll(context);
    const bookKey = createBookKeys(context.bookmakers, context.now());
    const keyed = evaluated.map((bet) => ({ ...bet, book: bookKey(bet.book) }));
    const rows = [...group(keyed, (bet) => keyOf(bet, by))].map(([key, bets]) => ({ key, ...measure(bets) }));
    return { by, rows: rows.sort((a, b) => (a.key < b.key ? -1 : 1)), total: measure(evaluated) };
  },
};

/** In pages: thousands of rows at once would hold others up. */
async function evaluateAll(context: OperationContext): Promise<readonly EvaluatedBet[]> {
  const evaluated: EvaluatedBet[] = [];
  while (evaluated.length < MAX_BETS) {
    const page = { afterId: evaluated.at(-1)?.id, limit: PAGE_SIZE };
    const bets = await context.bets.list(context.principal, page);
    evaluated.push(...(await evaluateBets(bets, context)));
    if (bets.length < PAGE_SIZE) break;
  }
  return evaluated;
}

function keyOf({ book, sport, market_key, placed_at }: EvaluatedBet, by: Grouping): string {
  return { book, sport, market: market_key, month: placed_at.slice(0, 7) }[by];
}

const measure = (bets: readonly EvaluatedBet[]) => ({
  bets: bets.length,
  staked: sumOfKnown(bets.map(({ stake }) => stake)) ?? 0,
  profit: sumOfKnown(bets.map(({ profit }) => profit)),
  clv: meanOfKnown(bets.map(({ clv }) => clv)),
});
