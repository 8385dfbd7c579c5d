import { type EventDocument, events } from '../../projections/events.ts';
import type { AsOf } from '../as-of/as-of.ts';
import { notFound } from '../calls/errors.ts';
import type { OperationContext } from '../calls/operation.ts';
import { requireSport } from '../calls/scopes.ts';
import type { Projection } from '../domain/projection.ts';

type Reader = Pick<OperationContext, 'store' | 'histories'>;

/** A document as it stands, or as the server had it at a moment; undefined when there is none. */
export async function readDocument<Doc>(
  context: Reader,
  projection: Projection<Doc>,
  key: string,
  asOf: AsOf | undefined,
): Promise<Doc | undefined> {
  if (!asOf) return (await context.store.get<Doc>(projection.name, key))?.document;
  return (await foldDocuments(context, projection, key, asOf)).get(key);
}

/** The documents that the streams of `key` feed, by key, as they were at a moment. */
export const foldDocuments = <Doc>(
  { histories }: Pick<Reader, 'histories'>,
  projection: Projection<Doc>,
  key: string,
  asOf: AsOf,
): Promise<ReadonlyMap<string, Doc>> => histories.fold(projection, key, asOf);

/**
 * The event of this id, as it stands or stood.
 * @throws ApiError not_found where it is not known (yet), sport_scope_denied outside the caller's scopes
 */
export async function readEvent(context: OperationContext, id: number, asOf?: AsOf): Promise<EventDocument> {
  const document = await readDocument(context, events, String(id), asOf);
  if (!document?.event.schedule) throw notFound(`There is no event ${id}${asOf ? ' at that time' : ''}.`);
  requireSport(context.principal, document.sport);
  return document;
}
