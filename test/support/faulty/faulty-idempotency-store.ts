import type { IdempotencyStore } from '../../../src/api/calls/idempotency/idempotency-store.ts';
import type { FaultyNetwork } from './faulty-network.ts';

/** Remembered answers behind a way that takes its time, and may lose the answer of any step. */
export const createFaultyIdempotencyStore = (inner: IdempotencyStore, far: FaultyNetwork): IdempotencyStore => ({
  begin: (claim, now) => far.call('begin', () => inner.begin(claim, now)),
  renew: (claim, now) => far.call('renew', () => inner.renew(claim, now)),
  finish: (claim, answer, now) => far.call('finish', () => inner.finish(claim, answer, now)),
  abandon: (claim) => far.call('abandon', () => inner.abandon(claim)),
  abandonAll: (owner) => far.call('abandonAll', () => inner.abandonAll(owner)),
});
