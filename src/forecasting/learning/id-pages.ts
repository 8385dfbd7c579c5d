import type { EventDocument } from '../../../projections/sports-events/events.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import type { Query, ReadStore } from '../../read-models/store/read-store.ts';

interface IdPagesQuery {
  readonly where: NonNullable<Query['where']>;
  /** The order of the ids; absent: ascending. */
  readonly order?: 'starts_at';
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** The ids of all documents that match, in pages. */
export async function* idPages<Doc extends { readonly id: number }>(
  store: Pick<ReadStore, 'find'>,
  projection: string,
  { where, order: field, limit, signal }: IdPagesQuery,
): AsyncGenerator<number[]> {
  let after: Query['after'];
  for (;;) {
    signal.throwIfAborted();
    const page = await store.find<Doc>(projection, {
      where,
      limit,
      ...(field ? { order: { field, direction: 'asc' } } : {}),
      ...(after ? { after } : {}),
    });
    yield page.map(({ document }) => document.id);
    const last = page.at(-1)?.document;
    if (!last || page.length < limit) return;
    const value = field ? timeOf((last as unknown as EventDocument).event.schedule!.starts_at) : last.id;
    after = { value, id: last.id };
  }
}
