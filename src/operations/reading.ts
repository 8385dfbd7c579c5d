import { type EventDocument, events } from '../../projections/events.ts';
import type { DomainRecord } from '../domain/domain-events.ts';
import { inObservedOrder } from '../domain/observed-order.ts';
import type { Projection } from '../domain/projection.ts';
import { notFound } from './errors.ts';
import type { OperationContext } from './operation.ts';
import type { AsOf } from './parameters.ts';
import { requireSport } from './scopes.ts';

type Reader = Pick<OperationContext, 'store' | 'log'>;

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

/**
 * The documents that the streams of `key` feed, folded from what was known at a moment by the projection's own
 * `apply`: the answer is the one that the server would have given then.
 */
export async function foldDocuments<Doc>(
  { log }: Pick<Reader, 'log'>,
  projection: Projection<Doc>,
  key: string,
  asOf: AsOf,
): Promise<ReadonlyMap<string, Doc>> {
  const documents = new Map<string, Doc>();
  for (const record of await recordsAsOf(log, projection.streams!(key), asOf)) {
    const own = projection.types.includes(record.type) ? projection.key(record) : undefined;
    if (own !== undefined) documents.set(own, projection.apply(documents.get(own), record));
  }
  return documents;
}

async function recordsAsOf(
  log: OperationContext['log'],
  streams: readonly string[],
  { at, basis }: AsOf,
): Promise<DomainRecord[]> {
  const options = basis === 'recorded' ? { until: new Date(at).toISOString() } : {};
  const parts = await Promise.all(streams.map((stream) => log.readStream(stream, options)));
  const records = parts.flat() as DomainRecord[];
  if (basis === 'observed') return inObservedOrder(records, at);
  if (parts.length > 1) records.sort((a, b) => (a.position < b.position ? -1 : 1));
  return records;
}

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
