import { ApiError, notFound as nothingThere } from '../../api/calls/api-errors.ts';
import { RefusedError } from '../../domain/primitives/domain-errors.ts';

/** What is not there, or is another's: nobody learns which. Throw it. */
export const notFound = (): ApiError => nothingThere('There is nothing at this address.');

const STATUSES_SHOWN_ON_PAGE: ReadonlySet<number> = new Set([402, 403, 422, 429]);

/** What a form asked for was refused as the API would refuse it: its page says so. Everything else stays what it is. */
export function toRefused(error: unknown): unknown {
  if (!(error instanceof ApiError) || !STATUSES_SHOWN_ON_PAGE.has(error.status)) return error;
  const { retry_after: retryAfter } = error.extras as { readonly retry_after?: number };
  return new RefusedError(error.status, error.message, { ...(retryAfter !== undefined && { retryAfter }) });
}
