import fc from 'fast-check';
import type { ChargedCall } from '../../../src/domain/accounts/account-event-data.ts';
import { formatTime } from '../../../src/domain/primitives/time.ts';

const NOON = Date.parse('2026-11-22T12:00:00Z');
const time = fc.integer({ min: NOON, max: NOON + 100_000 }).map(formatTime);

/** Any charge that an account's ledger may hold. */
export const anyCharge: fc.Arbitrary<ChargedCall> = fc.record(
  {
    at: time,
    keyId: fc.option(fc.nat(100)),
    operation: fc.option(fc.constantFrom('get_event', 'get_odds')),
    requestId: fc.string({ maxLength: 8 }),
    status: fc.constantFrom(200, 201, 204),
    milliseconds: fc.nat(10_000),
    credits: fc.integer({ min: 1, max: 20 }).map((halves) => halves / 2),
    budget: fc.constantFrom('score_poll', 'slip_grading'),
    chargedAt: time,
    bought: fc.integer({ min: 1, max: 5 }),
    capped: fc.constant(true as const),
  },
  { requiredKeys: ['at', 'keyId', 'operation', 'requestId', 'status', 'milliseconds', 'credits'] },
);
