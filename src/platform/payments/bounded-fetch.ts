import { checkBoundedJson, type JsonBounds, readBounded } from '../json/bounded-json.ts';

/** Real answers of Stripe, a page of a hundred payments, are far smaller. */
const ANSWER_BOUNDS: JsonBounds = { maxBytes: 4 * 1024 * 1024, maxDepth: 40, maxValues: 200_000 };

/** Statuses whose answers have no body. */
const EMPTY = [204, 205, 304];

/**
 * `fetch` for a library that reads whole answers, at any size and depth: it gets only what is within bounds. Follows no
 * redirect.
 * @throws JsonRefused if an answer with status 200 is beyond the bounds, or is no JSON; errors of `fetch`
 */
export const boundedFetch: typeof fetch = async (url, init) => {
  const { status, headers, body, ok } = await fetch(url, { ...init, redirect: 'error' });
  const bytes = await readBounded(body ?? [], ANSWER_BOUNDS);
  if (ok && bytes.length > 0) await checkBoundedJson(bytes, ANSWER_BOUNDS);
  return new Response(EMPTY.includes(status) ? null : new Uint8Array(bytes), { status, headers });
};
