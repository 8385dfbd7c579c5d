import { z } from 'zod';
import { flatCost, type Operation, replayStoredAnswer } from '../../calls/operation/operation.ts';
import { type BetBody, betBody } from './bet-body.ts';
import { bindBets } from './bind-bets.ts';
import { readBetCsv } from './read-bet-csv.ts';

const output = z.object({
  bets: z.array(z.object({ id: z.int() })).meta({ description: 'In the order in which they were given.' }),
});

export const addBets: Operation<unknown, unknown, BetBody, z.infer<typeof output>> = {
  name: 'add_bets',
  method: 'POST',
  path: '/v1/bets',
  tag: 'Bets',
  summary: 'Keeps bets that the account has placed, up to 200 at once: all of them, or none.',
  hint: 'Each is judged as the leg of a slip is; `list_bets` has their grades. Also as `text/csv` with the same columns.',
  input: { body: betBody },
  readCsv: async (text) => ({ bets: (await readBetCsv(text)).bets }),
  output,
  status: 201,
  errors: ['bad_request', 'forbidden', 'sport_scope_denied'],
  cost: flatCost(0),
  idempotency: replayStoredAnswer,
  async run({ bets }, context) {
    const ids = await context.bets.add(context.principal, await bindBets(bets, context), context.runId);
    return { bets: ids.map((id) => ({ id })) };
  },
};
