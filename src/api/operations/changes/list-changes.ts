import { z } from 'zod';
import { CHANGE_TYPES } from '../../../domain/webhook-types.ts';
import { formatCursor } from '../../../read-models/change-feed/change-cursor.ts';
import { decodeChange } from '../../../read-models/change-feed/encoded-change.ts';
import type { Operation } from '../../calls/operation/operation.ts';
import { answerTable } from '../../calls/operation/table.ts';
import { limit } from '../shared/parameters.ts';
import { changeParameters, checkChangeQuery, readChangeCursor, readChangeFilter } from './change-parameters.ts';

const query = z.object({ ...changeParameters, limit: limit({ max: 500, fallback: 100 }) });
type Input = z.infer<typeof query>;

const changeSchema = z
  .object({
    id: z.string(),
    type: z.enum(CHANGE_TYPES),
    event_id: z.int().nullable(),
    sport: z.string(),
    league: z.string().nullable(),
    at: z.string().meta({ description: 'When observed.', format: 'date-time' }),
    recorded_at: z.string().meta({ format: 'date-time' }),
    data: z.record(z.string(), z.unknown()).meta({ description: 'As a webhook of this type has it.' }),
  })
  .meta({ id: 'Change' });

const page = z.object({
  changes: z.array(changeSchema),
  next_after: z.string().meta({ description: 'For the next page.' }),
  has_more: z.boolean().meta({ description: 'There may be more.' }),
  records_checked: z.int().meta({ description: 'How much of the log was looked through for this page.' }),
});

/** A page without changes is free up to so many records: looking through more of them is work. */
const FREE_RECORDS = 500;

export const listChanges: Operation<unknown, Input, unknown, z.infer<typeof page>> = {
  name: 'list_changes',
  method: 'GET',
  path: '/v1/changes',
  tag: 'Changes',
  summary: 'What has changed since a cursor, over all events.',
  hint: 'Without `after` it gives the cursor of now alone. Go on with `next_after`.',
  input: { query },
  output: page,
  table: answerTable(changeSchema, ({ changes }: z.infer<typeof page>) => changes),
  errors: ['bad_request', 'not_found', 'sport_scope_denied'],
  cost: {
    description: `1 credit; free without changes but \`identity\`, unless more than ${FREE_RECORDS} records were looked through`,
    creditsFor: (_, { changes, records_checked }) =>
      changes.some(({ type }) => type !== 'identity') || records_checked > FREE_RECORDS ? 1 : 0,
    bounds: () => ({ min: 0, max: 1 }),
  },
  checkUnpaid: checkChangeQuery,
  async run(input, context) {
    const filter = await readChangeFilter(input, context);
    const { after, limit: pageSize } = input;
    if (after === undefined) {
      const end = formatCursor(await context.changes.endCursor());
      return { changes: [], next_after: end, has_more: false, records_checked: 0 };
    }
    const cursor = await readChangeCursor('after', after, context);
    const page = await context.changes.readPage({ after: cursor, filter, limit: pageSize });
    return {
      changes: page.changes.map(decodeChange),
      next_after: formatCursor(page.next),
      has_more: page.hasMore,
      records_checked: page.recordsChecked,
    };
  },
};
