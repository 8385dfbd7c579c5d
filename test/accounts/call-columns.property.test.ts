import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  addFrom,
  callColumns,
  callsOf,
  chargeColumns,
  chargesOf,
  type FillingCalls,
  type FillingCharges,
} from '../../src/domain/accounts/call-columns.ts';
import type { AnsweredCall } from '../../src/domain/accounts/calls.ts';
import { anyCharge } from './calls.ts';

const anyCall = anyCharge.map(
  ({ credits: _, chargedAt: _at, bought: _bought, capped: _capped, ...call }): AnsweredCall => call,
);
/** As they come back from the log. */
const stored = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

it('calls and charges in columns are what they were', () => {
  fc.assert(
    fc.property(fc.array(anyCharge), fc.array(anyCall), (charges, calls) => {
      expect(chargesOf(stored(chargeColumns(charges)))).toEqual(charges);
      expect(callsOf(stored(callColumns(calls)))).toEqual(calls);
    }),
  );
});

it('calls that are taken over one by one from other columns are what they were', () => {
  fc.assert(
    fc.property(fc.array(fc.array(anyCharge, { minLength: 1 }), { minLength: 1 }), ([first, ...more]) => {
      const charges = chargeColumns(first!) as FillingCharges;
      for (const next of more) for (const place of next.keys()) addFrom(charges, chargeColumns(next), place);
      expect(chargesOf(stored(charges))).toEqual([first!, ...more].flat());
    }),
  );
  fc.assert(
    fc.property(fc.array(anyCall, { minLength: 1 }), fc.array(anyCall, { minLength: 1 }), (first, more) => {
      const calls = callColumns(first) as FillingCalls;
      for (const place of more.keys()) addFrom(calls, callColumns(more), place);
      expect(callsOf(calls)).toEqual([...first, ...more]);
    }),
  );
});
