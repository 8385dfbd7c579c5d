import { ApiError } from '../../api/calls/errors.ts';
import { Refused } from '../../domain/refused-act.ts';

const SHOWN_ON_THE_PAGE: ReadonlySet<number> = new Set([402, 403, 422, 429]);

/** What a form asked for was refused as the API would refuse it: its page says so. Everything else stays what it is. */
export function asRefused(error: unknown): unknown {
  if (!(error instanceof ApiError) || !SHOWN_ON_THE_PAGE.has(error.status)) return error;
  const { retry_after: retryAfter } = error.extras as { readonly retry_after?: number };
  return new Refused(error.status, error.message, { ...(retryAfter !== undefined && { retryAfter }) });
}
