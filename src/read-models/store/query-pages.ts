import type { DocumentReader, Query, StoredDocument } from './document-reader.ts';

/**
 * All documents that a query finds, page by page, in its order. A document that moves meanwhile may come twice, or not
 * at all.
 * @param query `limit` is the page size
 * @param placeOf the position of a document in the order
 */
export async function* findPages<Doc>(
  store: Pick<DocumentReader, 'find'>,
  projection: string,
  query: Omit<Query, 'after'>,
  placeOf: (document: Doc) => NonNullable<Query['after']>,
): AsyncGenerator<readonly StoredDocument<Doc>[]> {
  for (let after: Query['after']; ; ) {
    const page = await store.find<Doc>(projection, { ...query, ...(after ? { after } : {}) });
    yield page;
    const last = page.at(-1);
    if (!last || page.length < query.limit) return;
    after = placeOf(last.document);
  }
}
