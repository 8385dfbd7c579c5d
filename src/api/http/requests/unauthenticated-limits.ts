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
  /** Counts a request with an unknown key or signature. Returns the error if there were too many. */
  countWrongKey(request: IncomingMessage): ApiError | undefined;
}

/** Paths that need a key, whether they exist or not. */
const KEY_REQUIRED_PATHS = /^\/(?:v1|mcp|api\/agent|compat)(?:[/?]|$)/;
/** Those below them that need none. */
const KEYLESS_PATHS = /^\/api\/agent\/trial(?:\/token)?(?:\?|$)/;

/** @param target a path, with or without its query */
export const requiresKey = (target: string): boolean => KEY_REQUIRED_PATHS.test(target) && !KEYLESS_PATHS.test(target);

/** Requests in 60 seconds, and those of one kind of fold, which are a part of them. */
const MAX_REQUESTS = 1200;
const MAX_FOLDS = 120;
const MAX_STREAMS = 10;
const STREAM_RETRY_SECONDS = 30;
const REQUESTS_BYTES = 16 * 1024 * 1024;
const FOLDS_BYTES = 4 * 1024 * 1024;

const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz']);
/** Answers that are made from the whole history of an event, each kind with a window of its own. */
const FOLD = /^\/live\/events\/[^/]+\/(story|probabilities|intelligence|lines|stats)$/;
const MOMENT = /^\/live\/events\/[^/]+\?(?:.*&)?as_of=/;
const STREAM = '/live/stream';

export function createUnauthenticatedLimits({
  trustProxy,
  pathsWithOwnSecret,
  steadyNow,
}: UnauthenticatedLimitsParts): UnauthenticatedLimits {
  const addressOf = createClientAddressReader(trustProxy);
  const requests = new AddressWindows({ max: MAX_REQUESTS, maxBytes: REQUESTS_BYTES });
  const folds = new Map<string, AddressWindows>();
  const streams = new AddressCounts(MAX_STREAMS);
  const excludedPaths: ReadonlySet<string> = new Set([...PROBES, ...pathsWithOwnSecret]);

  function windowsOf(fold: string | undefined): AddressWindows | undefined {
    if (fold === undefined) return undefined;
    const known = folds.get(fold) ?? new AddressWindows({ max: MAX_FOLDS, maxBytes: FOLDS_BYTES });
    folds.set(fold, known);
    return known;
  }

  function count(address: string, fold: string | undefined): ApiError | undefined {
    const now = steadyNow();
    const own = windowsOf(fold);
    const until = requests.blockedUntil(address, now) ?? own?.blockedUntil(address, now);
    if (until !== undefined) return tooMany(until - now, fold);
    requests.count(address, now);
    own?.count(address, now);
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
      const refusal = count(address, foldOf(path, request));
      if (isStream && !refusal) trackStream(address, response);
      return refusal;
    },
    countWrongKey: (request) => count(addressOf(request), undefined),
  };
}

function pathOf({ url = '/' }: IncomingMessage): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

/** The kind of fold that a request asks for; undefined: none. */
const foldOf = (path: string, { url = '' }: IncomingMessage): string | undefined =>
  FOLD.exec(path)?.[1] ?? (MOMENT.test(url) ? 'moments' : undefined);

function tooMany(milliseconds: number, fold: string | undefined): ApiError {
  const own = fold === undefined ? '' : `, ${MAX_FOLDS} of them ${fold === 'story' ? 'stories' : fold},`;
  const what = `${MAX_REQUESTS} requests${own}`;
  const text = `An address may make ${what} in 60 seconds without a key, or with one that is not known.`;
  return new ApiError('rate_limit_exceeded', text, { retry_after: Math.max(1, Math.ceil(milliseconds / 1000)) });
}

const tooManyStreams = (): ApiError =>
  new ApiError('stream_limit_exceeded', `An address may have ${MAX_STREAMS} of these streams open.`, {
    retry_after: STREAM_RETRY_SECONDS,
  });
