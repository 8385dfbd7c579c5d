import { type EventDocument, events } from '../../../../projections/sports-events/events.ts';
import { recordHistoryOf } from '../../../../projections/sports-events/record-history.ts';
import { createFold } from '../../../domain/event-sourcing/document-fold.ts';
import type { Projection } from '../../../domain/event-sourcing/projection.ts';
import { compareObserved, toObservedRecord } from '../../../domain/streams/observed-order.ts';
import { sortInTurns } from '../../../platform/async/sort-in-turns.ts';
import { yieldToEventLoop } from '../../../platform/async/yield-to-event-loop.ts';
import type { AsOf } from '../../../read-models/as-of/as-of.ts';
import { isShown } from '../../../read-models/store/known-league-reader.ts';
import { notFound } from '../../calls/api-errors.ts';
import type { OperationContext } from '../../calls/operation/operation.ts';
import { requireSport } from '../../calls/scopes.ts';

type Reader = Pick<OperationContext, 'store' | 'histories'>;

/** A document as it is, or as the server had it at a moment; undefined if there is none. */
export async function readDocument<Doc>(
  context: Reader,
  projection: Projection<Doc>,
  key: string,
  asOf: AsOf | undefined,
): Promise<Doc | undefined> {
  if (!asOf) return (await context.store.get<Doc>(projection.name, key))?.document;
  const document = (await context.histories.documentsAsOf(projection, key, asOf)).get(key);
  return document !== undefined && isShown(projection.name, document) ? document : undefined;
}

/**
 * Documents of several projections by the same keys, in one read: a list for each projection, with an entry for each
 * key.
 */
export async function readDocuments(
  context: Reader,
  projections: readonly Projection[],
  keys: readonly string[],
  asOf: AsOf | undefined,
): Promise<readonly (readonly any[])[]> {
  if (!asOf) {
    const found = await context.store.getAcross(projections.map(({ name }) => ({ projection: name, keys })));
    return found.map((some) => some.map((stored) => stored?.document));
  }
  return Promise.all(projections.map((one) => Promise.all(keys.map((key) => readDocument(context, one, key, asOf)))));
}

/**
 * The event with this id, as it is or was.
 * @throws ApiError not_found if it is not known (yet), sport_scope_denied outside the caller's scopes
 */
export async function readEvent(context: OperationContext, id: number, asOf?: AsOf): Promise<EventDocument> {
  return requireEvent(context, await readDocument(context, events, String(id), asOf), id, asOf);
}

/**
 * The event with the document that another projection has under its id; undefined if there is none.
 * @throws ApiError not_found, sport_scope_denied
 */
export async function readEventWith<Doc>(
  context: OperationContext,
  projection: Projection<Doc>,
  id: number,
  asOf?: AsOf,
): Promise<readonly [event: EventDocument, other: Doc | undefined]> {
  const [event, [other]] = await readEventWithAll<[Doc]>(context, [projection], id, asOf);
  return [event, other];
}

/**
 * The event with the documents of several projections, in their order.
 * @throws ApiError not_found, sport_scope_denied
 */
export async function readEventWithAll<Docs extends readonly unknown[]>(
  context: OperationContext,
  projections: { readonly [Index in keyof Docs]: Projection<Docs[Index]> },
  id: number,
  asOf?: AsOf,
): Promise<readonly [event: EventDocument, others: { readonly [Index in keyof Docs]: Docs[Index] | undefined }]> {
  const found = await readDocuments(context, [events, ...projections], [String(id)], asOf);
  const [event, ...others] = found.map(([document]) => document);
  return [requireEvent(context, event, id, asOf), others as { [Index in keyof Docs]: Docs[Index] | undefined }];
}

/** The event, once it is checked. @throws ApiError not_found, sport_scope_denied */
export function requireEvent(
  { principal }: Pick<OperationContext, 'principal'>,
  document: EventDocument | undefined,
  id: number,
  asOf: AsOf | undefined,
): EventDocument {
  if (!document?.event.schedule) throw notFound(`There is no event ${id}${asOf ? ' at that time' : ''}.`);
  requireSport(principal, document.sport);
  return document;
}

/**
 * A document of an event as it was known at a moment. With a second moment, only those facts count that the server had
 * recorded by the first and a source had observed by the second. Undefined if nothing was known.
 */
export async function readDocumentAsOf<Doc>(
  { histories }: Pick<OperationContext, 'histories'>,
  projection: Projection<Doc>,
  key: string,
  moment: AsOf,
  observed?: AsOf,
): Promise<Doc | undefined> {
  if (!observed) return (await histories.documentsAsOf(projection, key, moment)).get(key);
  const records = (await histories.documentsAsOf(recordHistoryOf(projection), key, moment)).get(key)?.records ?? [];
  const byPlace = new Map(records.map((record) => [recordKeyOf(record.stream, record.revision), record]));
  const known = records
    .map((record) =>
      toObservedRecord(
        record,
        'of' in record.data ? byPlace.get(recordKeyOf(record.stream, record.data.of)) : undefined,
      ),
    )
    .filter(({ at }) => at <= observed.at);
  const fold = createFold<Doc>(projection);
  const documents = new Map<string, Doc>();
  for (const { record } of await sortInTurns(known, compareObserved)) {
    fold.applyInto(documents, record);
    await yieldToEventLoop();
  }
  return documents.get(key);
}

const recordKeyOf = (stream: string, revision: number): string => `${revision} ${stream}`;
