import type { OperationShape } from './operation-shape.ts';
import type { Arguments } from './request-of.ts';

type Page = Readonly<Record<string, unknown>>;

/** How pages are asked for. */
export interface PageCalls {
  /** The page of these arguments. */
  readonly call: (given: Arguments) => Promise<unknown>;
  /** The page of a request as the server wrote it: `GET /v1/events?limit=5`. */
  readonly follow: (request: string) => Promise<unknown>;
}

/** The items of all pages, each page asked for when the one before is used up. */
export async function* allItems(
  { query = [], pages }: OperationShape,
  given: Arguments,
  { call, follow }: PageCalls,
): AsyncGenerator<unknown, void, undefined> {
  const takesCursor = query.includes('after_id');
  let page = (await call(given)) as Page;
  const { equivalent_request: equivalent } = page;
  for (;;) {
    yield* page[pages!] as readonly unknown[];
    const after = page['next_after_id'];
    if (after === null || after === undefined) return;
    // A search in words names the list that it stands for, and that list has the pages.
    if (takesCursor) page = (await call({ ...given, after_id: after })) as Page;
    else page = (await follow(withCursor(String(equivalent), String(after)))) as Page;
  }
}

const withCursor = (request: string, after: string): string =>
  `${request}${request.includes('?') ? '&' : '?'}after_id=${encodeURIComponent(after)}`;
