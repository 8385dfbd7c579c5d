import { z } from 'zod';
import {
  type CorrectionDocument,
  corrections as projection,
} from '../../../../projections/sports-events/corrections.ts';
import { findLeague, findSport, RESULT_TYPES } from '../../../domain/catalogue/catalogue.ts';
import { DAY, formatDate } from '../../../domain/primitives/time.ts';
import { CORRECTED_FIELDS } from '../../../domain/sports-events/event-corrections.ts';
import { id, time } from '../../../read-models/rendering/event-schemas.ts';
import type { Query } from '../../../read-models/store/read-store.ts';
import { flatCost, type Operation, type OperationContext } from '../../calls/operation/operation.ts';
import { answerTable } from '../../calls/operation/table.ts';
import { grantedSports, grantsSport, isLimitedToSports, requireSport } from '../../calls/scopes.ts';
import { checkCursor } from '../shared/list-cursors.ts';
import {
  checkDayRange,
  cursor,
  date,
  eventId,
  limit,
  MAX_RANGE_DAYS,
  oneOf,
  readDate,
  sportFilter,
  text,
} from '../shared/parameters.ts';
import { readEvent } from '../shared/read-documents.ts';
import { checkEventSports } from '../shared/unpaid-checks.ts';

const DEFAULT_DAYS = 30;

const query = z.object({
  sport: sportFilter,
  league: text('League slug.').optional(),
  event_id: eventId('Id of an event.').optional(),
  field: oneOf('What was corrected.', CORRECTED_FIELDS).optional(),
  from: date('First UTC date of `recorded_at`; 30 days before `to` unless told.'),
  to: date('Last UTC date of `recorded_at`, at most 90 days behind `from`; today unless told.'),
  after_id: cursor,
  limit: limit(),
});

const value = z
  .union([
    z.string(),
    z.object({ result_type: z.enum(RESULT_TYPES).nullable(), winner: z.string().nullable() }),
    z.record(z.string(), z.string().nullable()),
  ])
  .meta({
    id: 'CorrectedValue',
    description:
      'A text for `status` and `starts_at`; for `score` both sides’ scores by role; for `result` its type and the winner’s role.',
  });
const row = z
  .object({
    id,
    event_id: id,
    sport: z.string(),
    league: z.string(),
    field: z.enum(CORRECTED_FIELDS),
    before: value,
    after: value,
    source: z.string().meta({ description: 'Who sent the message.' }),
    at: time,
    recorded_at: time,
    reason: z.literal('identity').nullable().meta({
      description: '`identity`: an operator has merged or split events. Null: a message.',
    }),
  })
  .meta({ id: 'Correction' });
const output = z.object({ data: z.array(row), has_more: z.boolean(), next_after_id: z.int().nullable() });

type Input = z.infer<typeof query>;
type Output = z.infer<typeof output>;

const table = answerTable(row, ({ data }: Output) => data);

export const listCorrections: Operation<unknown, Input, unknown, Output> = {
  name: 'list_corrections',
  method: 'GET',
  path: '/v1/corrections',
  tag: 'Events',
  summary: 'What sources took back: changes of status, score, result or start that no game makes, oldest first.',
  hint: 'Look here before you trust a result that was read earlier.',
  input: { query },
  output,
  table,
  errors: ['bad_request', 'not_found', 'sport_scope_denied'],
  cost: flatCost(1),
  async checkUnpaid(input, context) {
    readDays(input, context.now);
    if (input.event_id !== undefined) await checkEventSports([input.event_id], context);
    await checkCursor(projection.name, input.after_id, context);
  },
  async run(input, context) {
    const days = readDays(input, context.now);
    const listed = await readList(input, context);
    await checkCursor(projection.name, input.after_id, context);
    const found = listed ? await find(input, listed, days, context) : [];
    const page = found.slice(0, input.limit);
    const has_more = found.length > input.limit;
    const data = page.map((correction) => ({ ...correction, reason: correction.reason ?? null }));
    return { data: data as Output['data'], has_more, next_after_id: has_more ? page.at(-1)!.id : null };
  },
};

interface Days {
  /** Start of the first and of the last day, in milliseconds. */
  readonly first: number;
  readonly last: number;
}

/** @throws ApiError bad_request if the dates are no range, or a range that is too long */
function readDays({ from, to }: Input, now: () => number): Days {
  const first = from === undefined ? undefined : readDate('from', from);
  const last = to === undefined ? undefined : readDate('to', to);
  if (first !== undefined && last !== undefined) {
    checkDayRange(first, last);
    return { first, last };
  }
  if (last !== undefined) return { first: last - DEFAULT_DAYS * DAY, last };
  const today = Math.floor(now() / DAY) * DAY;
  if (first === undefined) return { first: today - DEFAULT_DAYS * DAY, last: today };
  return { first, last: Math.max(first, Math.min(today, first + MAX_RANGE_DAYS * DAY)) };
}

type ListFilter =
  | { readonly event_id: readonly number[] }
  | { readonly league: string }
  | { readonly sport: readonly string[] }
  | object;

/**
 * The narrowest indexed filter that contains all matches; undefined if nothing can match.
 * @throws ApiError not_found for an unknown event, sport_scope_denied
 */
async function readList(
  { sport, league, event_id }: Input,
  context: OperationContext,
): Promise<ListFilter | undefined> {
  const { principal, replacements } = context;
  if (event_id !== undefined) {
    const event = await readEvent(context, event_id);
    return (sport ?? event.sport) === event.sport && (league ?? event.league) === event.league
      ? // What was corrected of an event before it was merged into this one keeps its id.
        { event_id: [event_id, ...replacements.mergedInto('event', event_id)] }
      : undefined;
  }
  if (sport !== undefined) {
    if (!findSport(sport)) return undefined;
    requireSport(principal, sport);
  }
  if (league !== undefined) {
    const found = findLeague(league);
    if (!found || (sport ?? found.sport) !== found.sport) return undefined;
    return grantsSport(principal, found.sport) ? { league } : undefined;
  }
  if (sport !== undefined) return { sport: [sport] };
  return isLimitedToSports(principal) ? { sport: grantedSports(principal) } : {};
}

/**
 * Reads one more than the limit, which shows whether there is a next page. Ids grow from day to day unless a clock was
 * set back, so the days are read in the order of their first ids, and no further than needed.
 */
async function find(
  { field, after_id, limit: pageSize }: Input,
  listed: ListFilter,
  { first, last }: Days,
  { store }: OperationContext,
): Promise<readonly CorrectionDocument[]> {
  const of = (day: string, limit: number): Query => ({
    where: { ...listed, ...(field === undefined ? {} : { field }), day },
    ...(after_id === undefined ? {} : { after: { value: null, id: after_id } }),
    limit,
  });
  const days: string[] = [];
  for (let day = first; day <= last; day += DAY) days.push(formatDate(day));
  const firstOfEach = await store.findEach<CorrectionDocument>(
    projection.name,
    days.map((day) => of(day, 1)),
  );
  const begun = firstOfEach.flat().map(({ document }) => ({ id: document.id, day: document.recorded_at.slice(0, 10) }));
  let found: readonly CorrectionDocument[] = [];
  for (const { id: begins, day } of begun.sort((a, b) => a.id - b.id)) {
    if (found.length > pageSize && found[pageSize]!.id < begins) break;
    const more = await store.find<CorrectionDocument>(projection.name, of(day, pageSize + 1));
    found = [...found, ...more.map(({ document }) => document)].sort((a, b) => a.id - b.id).slice(0, pageSize + 1);
  }
  return found;
}
