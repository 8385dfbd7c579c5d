import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '../../calls/api-errors.ts';
import { AddressWindows } from '../../limits/address-windows.ts';
import { createClientAddressReader } from './client-address.ts';

interface UnauthenticatedLimitsParts {
  /** Ranges of proxies whose word on whom they were called by is taken. */
  readonly trustProxy: readonly string[];
  /** Paths that have a secret of their own: who does not know it is told here by `wrongKey`. */
  readonly pathsWithOwnSecret: readonly string[];
  /** Milliseconds of a clock that never goes back. */
  readonly steadyNow: () => number;
}

/** What one address may ask for without a key, or with a wrong one. */
export interface UnauthenticatedLimits {
  /** Lets a request pass and counts it where its path needs no key; else the refusal. */
  admit(request: IncomingMessage, response: ServerResponse): ApiError | undefined;
  /** Counts a request whose key or signature nobody knows; the refusal where there were too many. */
  countWrongKey(request: IncomingMessage): ApiError | undefined;
}

/** Paths below these need a key, whether they exist or not. */
export const KEY_REQUIRED_PATHS = /^\/(?:v1|mcp|api\/agent|compat)(?:[/?]|$)/;

/** Requests in 60 seconds, and those of them that are stories, which are the dearest. */
const MOST_REQUESTS = 1200;
const MOST_STORIES = 120;
const MOST_STREAMS = 10;
const STREAM_RETRY_SECONDS = 30;
const REQUESTS_BYTES = 16 * 1024 * 1024;
const STORIES_BYTES = 4 * 1024 * 1024;

const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz']);
const STORY = /^\/live\/events\/[^/]+\/story$/;
const STREAM = '/live/stream';

export function createUnauthenticatedLimits({
  trustProxy,
  pathsWithOwnSecret,
  steadyNow,
}: UnauthenticatedLimitsParts): UnauthenticatedLimits {
  const addressOf = createClientAddressReader(trustProxy);
  const requests = new AddressWindows({ most: MOST_REQUESTS, maxBytes: REQUESTS_BYTES });
  const stories = new AddressWindows({ most: MOST_STORIES, maxBytes: STORIES_BYTES });
  /** How many each address has open. There are no more entries than connections. */
  const streams = new Map<string, number>();
  const elsewhere: ReadonlySet<string> = new Set([...PROBES, ...pathsWithOwnSecret]);

  function take(address: string, isStory: boolean): ApiError | undefined {
    const now = steadyNow();
    const until = requests.blockedUntil(address, now) ?? (isStory ? stories.blockedUntil(address, now) : undefined);
    if (until !== undefined) return tooMany(until - now, isStory);
    requests.count(address, now);
    if (isStory) stories.count(address, now);
    return undefined;
  }

  function hold(address: string, response: ServerResponse): void {
    streams.set(address, (streams.get(address) ?? 0) + 1);
    response.once('close', () => {
      const left = streams.get(address)! - 1;
      if (left === 0) streams.delete(address);
      else streams.set(address, left);
    });
  }

  return {
    admit(request, response) {
      const path = pathOf(request);
      if (KEY_REQUIRED_PATHS.test(path) || elsewhere.has(path)) return undefined;
      const address = addressOf(request);
      const isStream = path === STREAM;
      // Before it is counted: what is refused leaves no trace.
      if (isStream && (streams.get(address) ?? 0) >= MOST_STREAMS) return tooManyStreams();
      const refusal = take(address, STORY.test(path));
      if (isStream && !refusal) hold(address, response);
      return refusal;
    },
    countWrongKey: (request) => take(addressOf(request), false),
  };
}

function pathOf({ url = '/' }: IncomingMessage): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

function tooMany(milliseconds: number, isStory: boolean): ApiError {
  const what = isStory ? `${MOST_REQUESTS} requests, ${MOST_STORIES} of them stories,` : `${MOST_REQUESTS} requests`;
  const text = `An address may make ${what} in 60 seconds without a key, or with one that is not known.`;
  return new ApiError('rate_limit_exceeded', text, { retry_after: Math.max(1, Math.ceil(milliseconds / 1000)) });
}

const tooManyStreams = (): ApiError =>
  new ApiError('stream_limit_exceeded', `An address may have ${MOST_STREAMS} of these streams open.`, {
    retry_after: STREAM_RETRY_SECONDS,
  });
