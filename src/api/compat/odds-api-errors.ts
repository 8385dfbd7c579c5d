import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import type { ApiKeyFault } from '../calls/api-errors.ts';
import { ApiError, CallAborted, CLIENT_CLOSED_REQUEST, type ErrorCode } from '../calls/api-errors.ts';

/** Error codes of The Odds API that its paths use here: status, and meaning in one sentence. */
export const ODDS_API_ERRORS = {
  MISSING_KEY: { status: 401, means: 'There is no API key: `apiKey` or `api_key` in the query, or a Bearer header.' },
  INVALID_KEY: { status: 401, means: 'The API key is malformed, or nobody has it.' },
  DEACTIVATED_KEY: { status: 401, means: 'The API key was revoked, or it has expired.' },
  OUT_OF_USAGE_CREDITS: { status: 401, means: 'The credits left do not cover the most that this call can cost.' },
  UNKNOWN_SPORT: { status: 404, means: 'There is no such sport, or it lies outside the scopes of the API key.' },
  EVENT_NOT_FOUND: { status: 404, means: 'The sport has no such event that is to come or in play.' },
  EXCEEDED_FREQ_LIMIT: { status: 429, means: 'Too many requests. Wait for the seconds of the `Retry-After` header.' },
  INVALID_ALL_SPORTS_PARAM: { status: 422, means: '`all` is neither `true` nor `false`.' },
  MISSING_REGION: { status: 422, means: 'There is neither `regions` nor `bookmakers`.' },
  INVALID_REGION: { status: 422, means: '`regions` names one that does not exist.' },
  INVALID_BOOKMAKERS: { status: 422, means: '`bookmakers` holds what cannot be the key of a bookmaker.' },
  INVALID_MARKET: { status: 422, means: '`markets` names one that does not exist, or that this path does not have.' },
  INVALID_MARKET_COMBO: { status: 422, means: '`outrights` and `outrights_lay` go with no other market.' },
  INVALID_DATE_FORMAT: { status: 422, means: '`dateFormat` is neither `iso` nor `unix`.' },
  INVALID_ODDS_FORMAT: { status: 422, means: '`oddsFormat` is neither `decimal` nor `american`.' },
  INVALID_EVENT_IDS: { status: 422, means: '`eventIds` holds what is no id: 32 hex digits.' },
  INVALID_COMMENCE_TIME_FROM: { status: 422, means: '`commenceTimeFrom` is no time such as 2026-01-31T12:00:00Z.' },
  INVALID_COMMENCE_TIME_TO: { status: 422, means: '`commenceTimeTo` is no time such as 2026-01-31T12:00:00Z.' },
  INVALID_COMMENCE_TIME_RANGE: { status: 422, means: '`commenceTimeFrom` lies after `commenceTimeTo`.' },
  INVALID_SCORES_DAYS_FROM: { status: 422, means: '`daysFrom` is none of 1, 2 and 3.' },
  MISSING_HISTORICAL_TIMESTAMP: { status: 422, means: 'There is no `date`.' },
  INVALID_HISTORICAL_TIMESTAMP: {
    status: 422,
    means: '`date` is no time such as 2026-01-31T12:00:00Z, or it lies in the future.',
  },
  INVALID_AS_OF_BASIS: { status: 422, means: '`as_of_basis` is neither `recorded` nor `observed`.' },
  INVALID_EVENT_ID: { status: 422, means: 'The id of the event in the path is not 32 hex digits.' },
  INVALID_INCLUDE_LINKS: { status: 422, means: '`includeLinks` is neither `true` nor `false`.' },
  INVALID_INCLUDE_SIDS: { status: 422, means: '`includeSids` is neither `true` nor `false`.' },
  INVALID_INCLUDE_BET_LIMITS: { status: 422, means: '`includeBetLimits` is neither `true` nor `false`.' },
  INVALID_INCLUDE_MULTIPLIERS: { status: 422, means: '`includeMultipliers` is neither `true` nor `false`.' },
  INVALID_INCLUDE_ROTATION_NUMBERS: { status: 422, means: '`includeRotationNumbers` is neither `true` nor `false`.' },
} as const satisfies Readonly<Record<string, { readonly status: number; readonly means: string }>>;

export type OddsApiErrorCode = keyof typeof ODDS_API_ERRORS;

/** An error with a code of The Odds API. For the pipeline it is like any other error. */
export class OddsApiError extends ApiError<'not_found' | 'validation_error'> {
  readonly oddsApiCode: OddsApiErrorCode;
  constructor(oddsApiCode: OddsApiErrorCode, message: string = ODDS_API_ERRORS[oddsApiCode].means.replaceAll('`', '')) {
    if (ODDS_API_ERRORS[oddsApiCode].status === 404) super('not_found', message);
    else super('validation_error', message, { errors: [] });
    this.oddsApiCode = oddsApiCode;
  }
}

/** Codes of The Odds API for errors that every operation can have. */
const CODES_BY_ERROR: Readonly<Partial<Record<ErrorCode, OddsApiErrorCode>>> = {
  insufficient_credits: 'OUT_OF_USAGE_CREDITS',
  daily_credit_cap_exceeded: 'OUT_OF_USAGE_CREDITS',
  credit_cap_exceeded: 'OUT_OF_USAGE_CREDITS',
  payment_failed: 'OUT_OF_USAGE_CREDITS',
  card_declined: 'OUT_OF_USAGE_CREDITS',
  payment_method_required: 'OUT_OF_USAGE_CREDITS',
  rate_limit_exceeded: 'EXCEEDED_FREQ_LIMIT',
  concurrency_limit_exceeded: 'EXCEEDED_FREQ_LIMIT',
  stream_limit_exceeded: 'EXCEEDED_FREQ_LIMIT',
};

/** The code and status for an error of any operation. A code without an equivalent stays, in capitals. */
export function oddsApiErrorOf(code: ErrorCode, status: number): { readonly code: string; readonly status: number } {
  const known = CODES_BY_ERROR[code];
  return known ? { code: known, status: ODDS_API_ERRORS[known].status } : { code: code.toUpperCase(), status };
}

const CODES_BY_KEY_FAULT = { missing: 'MISSING_KEY', unknown: 'INVALID_KEY', deactivated: 'DEACTIVATED_KEY' } as const;
export const oddsApiCodeOfKeyFault = (fault: ApiKeyFault): OddsApiErrorCode => CODES_BY_KEY_FAULT[fault];

/** The status of the answer to this error. */
export function oddsApiStatusOf(error: unknown): number {
  if (error instanceof ApiError) return oddsApiErrorOf(error.code, error.status).status;
  if (error instanceof CallAborted) return CLIENT_CLOSED_REQUEST;
  return error instanceof UnavailableError ? 503 : 500;
}

/** Errors for the documentation pages, by the code in `details_url`. */
export const oddsApiErrorPages: ReadonlyMap<string, { readonly status: number; readonly means: string }> = new Map(
  Object.entries(ODDS_API_ERRORS).map(([code, error]) => [code.toLowerCase(), error]),
);
