import type { IncomingMessage, ServerResponse } from 'node:http';
import { isAccountPath, type Operation } from '../../../src/api/calls/operation/operation.ts';
import { INGEST_PATH } from '../../../src/api/http/endpoints/ingest-endpoint.ts';
import { createUnauthenticatedLimits, requiresKey } from '../../../src/api/http/requests/unauthenticated-limits.ts';
import {
  MAX_FREE,
  MAX_IN_FLIGHT,
  PLAYGROUND_RULES,
  requestRules,
  SHARED_LIMITS,
} from '../../../src/api/limits/limit-rules.ts';
import { DEFAULT_PLANS } from '../../../src/platform/settings/plans-and-packs.ts';
import { METRICS_PATH } from '../../../src/server/metrics/metrics-route.ts';

/** Paths with a secret of their own; what comes with a wrong one counts by address. */
const OWN_SECRETS: Readonly<Record<string, string>> = {
  [INGEST_PATH]: 'the key of ingest',
  [METRICS_PATH]: 'the bootstrap key',
  '/billing/stripe': 'the signature of the payment provider',
};
const CALLED_BY_KEY = ['/mcp', '/compat/the-odds-api(?:/.*)?'];
/** Routes whose answers are made from the history of an event. */
const OF_HISTORY = /^\/live\/events\/[^/]+\//;
const MOST_TRIED = 2000;

/** How many requests for a path an address may make in 60 seconds without a key; undefined: any number. */
export function limitOfAddress(path: string): number | undefined {
  const limits = createUnauthenticatedLimits({
    trustProxy: [],
    pathsWithOwnSecret: Object.keys(OWN_SECRETS),
    steadyNow: () => 0,
  });
  const request = { url: path.replaceAll(/\{\w+\}/g, '1'), socket: { remoteAddress: '203.0.113.1' }, headers: {} };
  const response = { once() {} } as unknown as ServerResponse;
  for (let count = 0; count < MOST_TRIED; count++) {
    if (limits.admit(request as unknown as IncomingMessage, response)) return count;
    if (OF_HISTORY.test(path) && limits.admitFold(request as unknown as IncomingMessage)) return count;
  }
  return undefined;
}

/**
 * The tables of docs/limits.md.
 * @param paths of all routes
 * @throws Error if a path has no limit
 */
export function limitTables(operations: readonly Operation[], paths: readonly string[]) {
  return {
    plans: plansTable(),
    calls: operations
      .filter(({ keyless }) => !keyless)
      .sort((a, b) => compare(a.path, b.path))
      .map(callRow)
      .join('\n'),
    addresses: [...new Set(paths)]
      .sort(compare)
      .flatMap((path) => addressRow(path, operations))
      .join('\n'),
  };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function plansTable(): string {
  return Object.entries(DEFAULT_PLANS)
    .map(([slug, { requests_per_minute: perMinute }]) => `| \`${slug}\` | ${perMinute ?? 'any number'} |`)
    .join('\n');
}

/** Inputs for which an operation may share a limit with others. */
const INPUTS = [{}, { include_scores: true }];

function callRow(operation: Operation): string {
  const { name, method, path, sharedLimit, streaming } = operation;
  const shared = INPUTS.map((input) => sharedLimit?.(input)).find((found) => found !== undefined);
  const { inWindow, atOnce } = shared ? SHARED_LIMITS[shared] : { inWindow: undefined, atOnce: undefined };
  const [, streams] = requestRules(1).stream;
  const limits = [
    'those of the key',
    ...(isAccountPath(path) ? [`in sessions of an account ${MAX_FREE}`] : []),
    ...(inWindow === undefined ? [] : [`${inWindow} of \`${shared}\``]),
    ...(atOnce === undefined ? [] : [`${atOnce} of \`${shared}\` at once`]),
    ...(streaming ? [`${streams!.max} open`] : []),
  ];
  return `| \`${method} ${path}\` | \`${name}\` | ${limits.join('; ')} |`;
}

function addressRow(path: string, operations: readonly Operation[]): string[] {
  const isCall =
    operations.some((operation) => operation.path === path && !operation.keyless) || CALLED_BY_KEY.includes(path);
  if (isCall) return [];
  const secret = OWN_SECRETS[path];
  if (secret !== undefined) return [`| \`${path}\` | any number with ${secret} |`];
  const limit = limitOfAddress(path);
  if (limit === undefined && (requiresKey(path) || !PROBES.includes(path))) {
    throw new Error(`nothing limits ${path}`);
  }
  // Files of pages have names that change.
  if (path.includes('/assets/')) return [];
  return [`| \`${path}\` | ${limit === undefined ? 'any number' : limit.toLocaleString('en')} |`];
}

const PROBES = ['/healthz', '/readyz'];

export const FIGURES = { MAX_FREE, MAX_IN_FLIGHT, playground: PLAYGROUND_RULES[0]!.max };
