import { z } from 'zod';
import { cursorText } from '../../../read-models/changes/change-cursor.ts';
import { flat, type Operation } from '../../calls/operation.ts';
import { judgeEventSports } from '../judging.ts';
import { askedEvents, changeParameters, readCursor, readFilter, requireScopes } from './change-parameters.ts';

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
  price: flat(1),
  streaming: true,
  async judge(input, context) {
    requireScopes(input, context);
    await judgeEventSports(askedEvents(input) ?? [], context);
    if (input.after !== undefined) await readCursor('after', input.after, context);
  },
  async run(input, context) {
    await readFilter(input, context);
    return { id: cursorText(await context.changes.end()) };
  },
};
