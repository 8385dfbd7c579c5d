import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type ConnectorCircumstances, connectorState } from '../../../src/sources/connectors/connector-state.ts';

const circumstances: fc.Arbitrary<ConnectorCircumstances> = fc.record({
  isStandby: fc.boolean(),
  hasFailed: fc.boolean(),
  isHostPaused: fc.boolean(),
  isSenderRefused: fc.boolean(),
  isKeyRefused: fc.boolean(),
  isExhausted: fc.boolean(),
  hasDrifted: fc.boolean(),
  hasSucceeded: fc.boolean(),
});
/** From the one that says least to the one that hides all others. */
const RANKS = ['ok', 'starting', 'drift', 'exhausted', 'failing', 'refused', 'standby'];
const rank = (now: ConnectorCircumstances): number => RANKS.indexOf(connectorState(now));

it('the state of a connector is that of the worst that is true of it, and hides whatever goes behind', () => {
  fc.assert(
    fc.property(circumstances, (now) => {
      const worst = Math.max(
        now.hasSucceeded ? 0 : 1,
        now.hasDrifted ? 2 : 0,
        now.isExhausted ? 3 : 0,
        now.hasFailed || now.isHostPaused || now.isKeyRefused ? 4 : 0,
        now.isSenderRefused ? 5 : 0,
        now.isStandby ? 6 : 0,
      );
      expect(connectorState(now)).toBe(RANKS[worst]);
    }),
  );
});

it('nothing bad that comes to be true makes the state better', () => {
  const bad = [
    'isStandby',
    'isSenderRefused',
    'hasFailed',
    'isHostPaused',
    'isKeyRefused',
    'isExhausted',
    'hasDrifted',
  ] as const;
  fc.assert(
    fc.property(circumstances, fc.constantFrom(...bad), (now, one) => {
      expect(rank({ ...now, [one]: true })).toBeGreaterThanOrEqual(rank({ ...now, [one]: false }));
    }),
  );
});
