import { z } from 'zod';
import { formatCursor } from '../../../read-models/change-feed/change-cursor.ts';
import { flatCost, type Operation } from '../../calls/operation/operation.ts';
import { apiKeyParameter } from '../shared/parameters.ts';
import { changeParameters, checkChangeQuery, readChangeFilter } from './change-parameters.ts';

const query = z.object({
  ...changeParameters,
  api_key: apiKeyParameter,
});
const ready = z.object({ id: z.string() });

/**
 * The cost is that of opening the stream; `run` gives the data of its first message. The cursor may also come in a
 * header, which the route reads.
 */
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
  checkUnpaid: checkChangeQuery,
  async run(input, context) {
    await readChangeFilter(input, context);
    return { id: formatCursor(await context.changes.endCursor()) };
  },
};
