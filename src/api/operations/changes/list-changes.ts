import { z } from 'zod';
import { WEBHOOK_EVENT_TYPES } from '../../../domain/webhook-types.ts';
import { shownChange } from '../../../read-models/changes/change.ts';
import { cursorText } from '../../../read-models/changes/change-cursor.ts';
import type { Operation } from '../../calls/operation.ts';
import { judgeEventSports } from '../judging.ts';
import { limit } from '../parameters.ts';
import { askedEvents, changeParameters, readCursor, readFilter, requireScopes } from './change-parameters.ts';

const query = z.object({ ...changeParameters, limit: limit({ max: 500, fallback: 100 }) });
type Input = z.infer<typeof query>;

export const change = z
  .object({
    id: z.string(),
    type: z.enum(WEBHOOK_EVENT_TYPES),
    event_id: z.int(),
    sport: z.string(),
    league: z.string(),
    at: z.string().meta({ description: 'When it was observed.', format: 'date-time' }),
    recorded_at: z.string().meta({ format: 'date-time' }),
    data: z.record(z.string(), z.unknown()).meta({
      description: 'As a webhook of this type has it: the score, the status, the move, the injury, the bets.',
    }),
  })
  .meta({ id: 'Change' });

const page = z.object({
  changes: z.array(change),
  next_after: z.string().meta({ description: 'For the next page; never null.' }),
  has_more: z.boolean().meta({ description: 'There may be more: ask at once.' }),
});

export const listChanges: Operation<unknown, Input, unknown, z.infer<typeof page>> = {
  name: 'list_changes',
  method: 'GET',
  path: '/v1/changes',
  tag: 'Changes',
  summary: 'What has changed since a cursor, over all events.',
  hint: 'Without `after` it gives the cursor of now alone. Go on with `next_after`.',
  input: { query },
  output: page,
  errors: ['bad_request', 'not_found', 'sport_scope_denied'],
  price: {
    says: '1 credit; free without changes',
    of: (_, { changes }) => (changes.length > 0 ? 1 : 0),
    bounds: () => ({ min: 0, max: 1 }),
  },
  async judge(input, context) {
    requireScopes(input, context);
    await judgeEventSports(askedEvents(input) ?? [], context);
    if (input.after !== undefined) await readCursor('after', input.after, context);
  },
  async run(input, context) {
    const filter = await readFilter(input, context);
    const { after, limit: most } = input;
    if (after === undefined)
      return { changes: [], next_after: cursorText(await context.changes.end()), has_more: false };
    const cursor = await readCursor('after', after, context);
    const { changes, next, hasMore } = await context.changes.page({ after: cursor, filter, limit: most });
    return { changes: changes.map(shownChange), next_after: cursorText(next), has_more: hasMore };
  },
};
