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
    const items = page[pages!];
    if (!Array.isArray(items)) throw new TypeError(`fields must name ${pages}`);
    yield* items;
    const after = page['next_after_id'];
    if (after === null || after === undefined) return;
    // A search in words names the list that it stands for, and that list has the pages.
    if (takesCursor) page = (await call({ ...given, after_id: after })) as Page;
    else page = (await follow(nextPageOf(equivalent, String(after), fieldsBelow(pages!, given['fields'])))) as Page;
  }
}

/** Of members of an answer those of its items. */
const fieldsBelow = (member: string, fields: unknown): string | undefined =>
  typeof fields === 'string'
    ? fields
        .split(',')
        .map((path) => path.trim())
        .filter((path) => path === member || path.startsWith(`${member}.`))
        .join()
    : undefined;

const EVENTS = 'GET /v1/events';

/** @throws TypeError where the pages are not to be had */
function nextPageOf(equivalent: unknown, after: string, fields: string | undefined): string {
  if (typeof equivalent !== 'string') throw new TypeError('fields must name equivalent_request, for further pages');
  if (!equivalent.startsWith(EVENTS)) {
    throw new TypeError(
      `further pages are those of ${equivalent}, whose items are others: each.getPlayerEvents has them`,
    );
  }
  const more = new URLSearchParams({ after_id: after, ...(fields === undefined ? {} : { fields }) });
  return `${equivalent}${equivalent.includes('?') ? '&' : '?'}${more}`;
}
