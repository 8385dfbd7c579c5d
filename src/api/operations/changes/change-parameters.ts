import { z } from 'zod';
import { events } from '../../../../projections/sports-events/events.ts';
import { findLeague, findSport } from '../../../domain/catalogue/catalogue.ts';
import { CHANGE_TYPES, type WebhookEventType } from '../../../domain/webhook-types.ts';
import { type ChangeCursor, CURSOR_PATTERN, parseCursor } from '../../../read-models/change-feed/change-cursor.ts';
import type { ChangeFilter } from '../../../read-models/change-feed/change-filter.ts';
import { badRequest, notFound } from '../../calls/api-errors.ts';
import type { OperationContext } from '../../calls/operation/operation.ts';
import { grantedSports, isLimitedToSports, requireSport } from '../../calls/scopes.ts';
import { described, followedEventIds, text } from '../shared/parameters.ts';
import { readDocument } from '../shared/read-documents.ts';
import { checkEventSports } from '../shared/unpaid-checks.ts';

/** The items of a comma list, each once; undefined if there are none. */
function listed(parameter: string | undefined): readonly string[] | undefined {
  const items = parameter?.split(',').map((item) => item.trim().toLowerCase()) ?? [];
  const some = [...new Set(items)].filter((item) => item !== '');
  return some.length > 0 ? some : undefined;
}

const isType = (text: string): text is WebhookEventType => (CHANGE_TYPES as readonly string[]).includes(text);

/** Query parameters that select changes. */
export const changeParameters = {
  types: z
    .string({ error: 'must be a string' })
    .max(200, 'must have at most 200 characters')
    .refine((value) => (listed(value) ?? []).every(isType), `must be some of ${CHANGE_TYPES.join(', ')}`)
    .meta({
      description: `Of ${CHANGE_TYPES.join(', ')}, comma-separated.`,
      examples: ['score,line_move'],
    })
    .optional(),
  sport: text('Sport slugs, comma-separated.', { max: 2000 }).optional(),
  league: text('League slugs, comma-separated.', { max: 2000 }).optional(),
  event_id: followedEventIds('Of one event, or of several.').optional(),
  bookmaker: text('Slugs, comma-separated: line moves of these only; other types come anyhow.', {
    max: 2000,
  }).optional(),
  after: described('A change’s `id`, or `next_after`; 0: the beginning.', {
    pattern: CURSOR_PATTERN,
    examples: ['0'],
  }).optional(),
};
const parameters = z.object(changeParameters);
export type ChangeQuery = z.infer<typeof parameters>;

/** Checks the sports and leagues of the query; reads nothing. @throws ApiError sport_scope_denied */
function requireQueriedScopes(
  { sport, league }: ChangeQuery,
  { principal }: Pick<OperationContext, 'principal'>,
): void {
  for (const slug of listed(sport) ?? []) if (findSport(slug)) requireSport(principal, slug);
  for (const slug of listed(league) ?? []) {
    const found = findLeague(slug);
    if (found) requireSport(principal, found.sport);
  }
}

const queriedEventIds = ({ event_id }: ChangeQuery): readonly number[] | undefined =>
  event_id?.length ? event_id : undefined;

/**
 * The changes that the query selects, within the caller's scopes. Unknown sports, leagues and bookmakers match nothing.
 * @throws ApiError sport_scope_denied, not_found for an unknown event
 */
export async function readChangeFilter(query: ChangeQuery, context: OperationContext): Promise<ChangeFilter> {
  requireQueriedScopes(query, context);
  const eventIds = queriedEventIds(query);
  for (const id of eventIds ?? []) requireSport(context.principal, await sportOf(id, context));
  const { principal } = context;
  const sports = listed(query.sport) ?? (isLimitedToSports(principal) ? grantedSports(principal) : undefined);
  const types = listed(query.types) as readonly WebhookEventType[] | undefined;
  return {
    types: setOf(types),
    sports: setOf<string>(sports),
    leagues: setOf(listed(query.league)),
    eventIds: setOf(eventIds),
    merged: context.replacements,
    bookmakers: setOf(listed(query.bookmaker)),
  };
}

const setOf = <T>(items: readonly T[] | undefined): ReadonlySet<T> | undefined => items && new Set(items);

/** The sport of an event. Falls back to the log, so that an event recorded just now can be followed at once. */
async function sportOf(id: number, context: OperationContext): Promise<string> {
  const key = String(context.replacements.meaningOf('event', id));
  const document =
    (await readDocument(context, events, key, undefined)) ??
    (await readDocument(context, events, key, { at: context.now(), basis: 'recorded' }));
  if (!document?.event.schedule) throw notFound(`There is no event ${id}.`);
  return document.sport;
}

/** @throws ApiError bad_request if the cursor is malformed, or lies beyond the end of the log */
export async function readChangeCursor(
  name: string,
  value: string,
  { changes }: Pick<OperationContext, 'changes'>,
): Promise<ChangeCursor> {
  const cursor = parseCursor(value);
  if (!cursor) throw badRequest(`${name} must be a cursor: the id of a change, next_after of a page, or 0`);
  if (cursor.position > (await changes.endCursor()).position) throw badRequest(`${name} lies beyond the newest change`);
  return cursor;
}

/** @throws ApiError sport_scope_denied, bad_request for the cursor */
export async function checkChangeQuery(query: ChangeQuery, context: OperationContext): Promise<void> {
  requireQueriedScopes(query, context);
  const meant = (queriedEventIds(query) ?? []).map((id) => context.replacements.meaningOf('event', id));
  await checkEventSports(meant, context);
  if (query.after !== undefined) await readChangeCursor('after', query.after, context);
}
