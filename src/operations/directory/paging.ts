import type { Query, ReadStore, Stored } from '../../store/read-store.ts';
import { badRequest } from '../errors.ts';

export interface Page<Item> {
  readonly data: Item[];
  readonly has_more: boolean;
  readonly next_after_id: number | null;
}

/** One page of a directory in the order of ids. @throws ApiError bad_request for a cursor that is nobody's id */
export async function pageById<Doc extends { id: number }, Item>(
  store: ReadStore,
  projection: string,
  query: Omit<Query, 'limit' | 'after'>,
  { after_id, limit }: { after_id?: number | undefined; limit: number },
  render: (documents: readonly Doc[]) => Item[] | Promise<Item[]>,
): Promise<Page<Item>> {
  if (after_id !== undefined && !(await store.get(projection, String(after_id)))) {
    throw badRequest(`after_id: there is no ${after_id} in this list`);
  }
  const after = after_id === undefined ? {} : { after: { value: null, id: after_id } };
  const found: readonly Stored<Doc>[] = await store.find<Doc>(projection, { ...query, ...after, limit: limit + 1 });
  const page = found.slice(0, limit).map(({ document }) => document);
  const has_more = found.length > limit;
  return { data: await render(page), has_more, next_after_id: has_more ? page.at(-1)!.id : null };
}
