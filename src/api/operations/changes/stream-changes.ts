import { z } from 'zod';
import { formatCursor } from '../../../read-models/change-feed/change-cursor.ts';
import { flatCost, type Operation } from '../../calls/operation/operation.ts';
import { checkEventSports } from '../shared/unpaid-checks.ts';
import {
  changeParameters,
  queriedEventIds,
  readChangeCursor,
  readChangeFilter,
  requireQueriedScopes,
} from './change-parameters.ts';

const query = z.object({
  ...changeParameters,
  api_key: z.string().max(200).optional().meta({ description: 'The API key, for clients that cannot set headers.' }),
});
const ready = z.object({ id: z.string() });

/** Opening the stream costs what this says; `run` gives the data of its first message. Its cursor may come in a
 *  header too, which the route reads. */
export const streamChanges: Operation<unknown, z.infer<typeof query>, unknown, z.infer<typeof ready>> = {
  name: 'stream_changes',
  method: 'GET',
  path: '/v1/stream',
  tag: 'Changes',
  summary: 'Changes of all events as server-sent events, as they are recorded, from any cursor on.',
  hint: '`Last-Event-ID` goes before `after`. First comes `ready` with the cursor from which it goes on, then each change under its type.',
  input: { query },
  output: ready,
  errors: ['bad_request', 'not_found', 'sport_scope_denied', 'stream_limit_exceeded'],
  cost: flatCost(1),
  streaming: true,
  async checkUnpaid(input, context) {
    requireQueriedScopes(input, context);
    await checkEventSports(queriedEventIds(input) ?? [], context);
    if (input.after !== undefined) await readChangeCursor('after', input.after, context);
  },
  async run(input, context) {
    await readChangeFilter(input, context);
    return { id: formatCursor(await context.changes.endCursor()) };
  },
};
