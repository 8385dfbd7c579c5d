import { expect, it } from 'vitest';
import type { Call } from '../../../src/api/calls/pipeline/admission.ts';
import { createResponder } from '../../../src/api/http/responder.ts';

const headersOf = (staleSeconds: number | undefined, call: Call | undefined) =>
  createResponder({
    baseUrl: () => '',
    log: { error() {} },
    newRequestId: () => 'r',
    staleSeconds: () => staleSeconds,
  }).headers({ requestId: 'r', call });

it('answers to calls show the age of their documents if these are older than usual', () => {
  const call = {} as Call;
  expect(headersOf(7, call)).toEqual(['X-Request-Id', 'r', 'X-Credits-Used', '0', 'X-Stale-Seconds', '7']);
  expect(headersOf(undefined, call)).not.toContain('X-Stale-Seconds');
  expect(headersOf(7, undefined)).not.toContain('X-Stale-Seconds');
});
