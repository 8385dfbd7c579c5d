import { z } from 'zod';
import { time } from '../../../read-models/rendering/event-schemas.ts';
import { flatCost, type Operation } from '../../calls/operation/operation.ts';
import { answerTable } from '../../calls/operation/table.ts';
import { requireAllScopes } from '../../calls/scopes.ts';
import { LEDGER_LINE_TYPES } from '../../calls/services/account-services.ts';
import { entityId, limit } from '../shared/parameters.ts';

const query = z.object({
  after_id: entityId('Cursor: only lines with smaller ids.').optional(),
  limit: limit({ max: 500, fallback: 100 }),
});

const line = z
  .object({
    id: z.int().meta({ description: 'Grows with time.' }),
    at: time,
    type: z.enum(LEDGER_LINE_TYPES),
    credits: z.number().meta({ description: 'The change of the balance; negative for a charge.' }),
    about: z.string().nullable().meta({ description: 'The operation of a charge, the name or reason of a grant.' }),
    request_id: z.string().nullable(),
    key_id: z.int().nullable().meta({ description: 'The key of a charge; null: a session, or none.' }),
  })
  .meta({ id: 'LedgerLine' });
const output = z.object({ data: z.array(line), has_more: z.boolean(), next_after_id: z.int().nullable() });

export const listLedger: Operation<object, z.infer<typeof query>, object, z.infer<typeof output>> = {
  name: 'list_ledger',
  method: 'GET',
  path: '/api/agent/ledger',
  tag: 'Account',
  summary: 'What changed the account’s credits, newest first: charges, grants, purchases, refunds.',
  hint: 'A key with the scope `all`. Charges of the last second may be missing.',
  input: { query },
  output,
  table: answerTable(line, ({ data }: z.infer<typeof output>) => data),
  cost: flatCost(0),
  restOnly: true,
  check: (_, { principal }) => requireAllScopes(principal),
  async run({ after_id: afterId, limit: pageSize }, { accounts, principal }) {
    const found = await accounts.ledger(principal, { afterId, limit: pageSize + 1 });
    const data = found.slice(0, pageSize);
    const has_more = found.length > pageSize;
    return { data, has_more, next_after_id: has_more ? data.at(-1)!.id : null };
  },
};
