import { ApiError, notFound as nothingThere } from '../../api/calls/api-errors.ts';
import { RefusedError } from '../../domain/primitives/domain-errors.ts';

/** For a resource that does not exist, or belongs to another account: the answer does not tell which. Throw it. */
export const notFound = (): ApiError => nothingThere('There is nothing at this address.');

const STATUSES_SHOWN_ON_PAGE: ReadonlySet<number> = new Set([402, 403, 422, 429]);

/** Turns an API error that a form can show into a RefusedError. All other errors stay as they are. */
export function toRefused(error: unknown): unknown {
  if (!(error instanceof ApiError) || !STATUSES_SHOWN_ON_PAGE.has(error.status)) return error;
  const { retry_after: retryAfter } = error.extras as { readonly retry_after?: number };
  return new RefusedError(error.status, error.message, { ...(retryAfter !== undefined && { retryAfter }) });
}
