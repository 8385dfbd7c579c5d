import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '../../calls/api-errors.ts';
import { AddressCounts, AddressWindows } from '../../limits/address-windows.ts';
import { createClientAddressReader } from './client-address.ts';

interface UnauthenticatedLimitsParts {
  /** Address ranges of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustProxy: readonly string[];
  /** Paths with their own secret. A request with a wrong one is counted by `countWrongKey`. */
  readonly pathsWithOwnSecret: readonly string[];
  /** Milliseconds of a monotonic clock. */
  readonly steadyNow: () => number;
}

/** Limits for each address: on paths that need no key, and on refused requests to paths that need one. */
export interface UnauthenticatedLimits {
  /** Counts a request if its path needs no key. Returns the error if there were too many. */
  admit(request: IncomingMessage, response: ServerResponse): ApiError | undefined;
  /**
   * Counts an answer of this request that is made from the history of an event, and not from what is kept of it. Returns
   * the error if there were too many.
   */
  admitFold(request: IncomingMessage): ApiError | undefined;
  /** Counts a request with an unknown key or signature. Returns the error if there were too many. */
  countWrongKey(request: IncomingMessage): ApiError | undefined;
}

/** Paths that need a key, whether they exist or not. */
const KEY_REQUIRED_PATHS = /^\/(?:v1|mcp|api\/agent|compat)(?:[/?]|$)/;
/** Those below them that need none. */
const KEYLESS_PATHS = /^\/api\/agent\/trial(?:\/token)?(?:\?|$)/;

/** @param target a path, with or without its query */
export const requiresKey = (target: string): boolean => KEY_REQUIRED_PATHS.test(target) && !KEYLESS_PATHS.test(target);

/** Requests in 60 seconds, and histories of events that are folded for them. */
const MAX_REQUESTS = 1200;
const MAX_FOLDS = 120;
const MAX_STREAMS = 10;
const STREAM_RETRY_SECONDS = 30;
const REQUESTS_BYTES = 16 * 1024 * 1024;
const FOLDS_BYTES = 4 * 1024 * 1024;

const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz']);
const STREAM = '/live/stream';

export function createUnauthenticatedLimits({
  trustProxy,
  pathsWithOwnSecret,
  steadyNow,
}: UnauthenticatedLimitsParts): UnauthenticatedLimits {
  const addressOf = createClientAddressReader(trustProxy);
  const requests = new AddressWindows({ max: MAX_REQUESTS, maxBytes: REQUESTS_BYTES });
  const folds = new AddressWindows({ max: MAX_FOLDS, maxBytes: FOLDS_BYTES });
  const streams = new AddressCounts(MAX_STREAMS);
  const excludedPaths: ReadonlySet<string> = new Set([...PROBES, ...pathsWithOwnSecret]);

  function count(address: string, windows: AddressWindows, what: string): ApiError | undefined {
    const now = steadyNow();
    const until = windows.blockedUntil(address, now);
    if (until !== undefined) return tooMany(until - now, what);
    windows.count(address, now);
    return undefined;
  }

  function trackStream(address: string, response: ServerResponse): void {
    streams.add(address);
    response.once('close', () => streams.remove(address));
  }

  return {
    admit(request, response) {
      const path = pathOf(request);
      if (requiresKey(path) || excludedPaths.has(path)) return undefined;
      const address = addressOf(request);
      const isStream = path === STREAM;
      // Checked before counting: a refused request must not count.
      if (isStream && streams.isFull(address)) return tooManyStreams();
      const refusal = count(address, requests, REQUESTS);
      if (isStream && !refusal) trackStream(address, response);
      return refusal;
    },
    admitFold: (request) => count(addressOf(request), folds, FOLDS),
    countWrongKey: (request) => count(addressOf(request), requests, REQUESTS),
  };
}

function pathOf({ url = '/' }: IncomingMessage): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

const REQUESTS = `${MAX_REQUESTS} requests`;
const FOLDS = `${MAX_FOLDS} requests whose answers are made from the history of an event`;

function tooMany(milliseconds: number, what: string): ApiError {
  const text = `An address may make ${what} in 60 seconds without a key, or with one that is not known.`;
  return new ApiError('rate_limit_exceeded', text, { retry_after: Math.max(1, Math.ceil(milliseconds / 1000)) });
}

const tooManyStreams = (): ApiError =>
  new ApiError('stream_limit_exceeded', `An address may have ${MAX_STREAMS} of these streams open.`, {
    retry_after: STREAM_RETRY_SECONDS,
  });
