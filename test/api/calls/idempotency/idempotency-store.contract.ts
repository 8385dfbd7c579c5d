import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  IDEMPOTENCY_RETENTION,
  type IdempotencyRecordKey,
  type IdempotencyStore,
  RUN_LEASE,
  type RunClaim,
} from '../../../../src/api/calls/idempotency/idempotency-store.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const PLACE: IdempotencyRecordKey = { accountId: 1, path: '/v1/things', scopes: 'all', key: 'k' };

export interface RememberedAnswersWorld {
  /** The same answers as one more process has them. */
  open(): Promise<IdempotencyStore>;
  close(): Promise<void>;
}

/** What every adapter of `RememberedAnswers` keeps. */
export function rememberedAnswersContract(name: string, createWorld: () => Promise<RememberedAnswersWorld>): void {
  describe(`remembered answers: ${name}`, () => {
    let world: RememberedAnswersWorld;
    let a: IdempotencyStore;
    let b: IdempotencyStore;
    let tokens = 0;
    beforeEach(async () => {
      world = await createWorld();
      a = await world.open();
      b = await world.open();
    });
    afterEach(() => world.close());

    const claim = (given: Partial<RunClaim> = {}): RunClaim => ({
      recordKey: PLACE,
      requestHash: 'hash',
      owner: 'a',
      token: `token ${++tokens}`,
      runId: `run ${tokens}`,
      ...given,
    });
    const run = { kind: 'run', runId: expect.any(String) };
    const running = { kind: 'running' } as const;

    it('a key runs one claim at a time, from any owner and for any request', async () => {
      expect(await a.begin(claim(), NOW)).toEqual(run);
      expect(await a.begin(claim(), NOW)).toEqual(running);
      expect(await b.begin(claim({ owner: 'b' }), NOW)).toEqual(running);
      expect(await b.begin(claim({ owner: 'b', requestHash: 'other' }), NOW)).toEqual(running);
    });

    it('of claims that come at the same moment one runs', async () => {
      const claims = Array.from({ length: 20 }, (_, index) => claim({ owner: index % 2 ? 'a' : 'b' }));
      const begun = await Promise.all(claims.map((one) => (one.owner === 'a' ? a : b).begin(one, NOW)));
      expect(begun.filter(({ kind }) => kind === 'run')).toHaveLength(1);
      expect(begun.filter(({ kind }) => kind === 'running')).toHaveLength(19);
    });

    it.each<[string, Partial<IdempotencyRecordKey>]>([
      ['account', { accountId: 2 }],
      ['path', { path: '/v1/other' }],
      ['set of scopes', { scopes: 'nba,nfl' }],
      ['key', { key: 'K' }],
    ])('another %s is another place', async (_, other) => {
      const first = claim();
      await a.begin(first, NOW);
      await a.finish(first, 1, NOW);
      expect(await a.begin(claim({ recordKey: { ...PLACE, ...other } }), NOW)).toEqual(run);
    });

    it('a finished run has its answer stored for the same request', async () => {
      const first = claim();
      const answer = { id: 7, list: [1, null, 'é'], '__proto__ ': true };
      await a.begin(first, NOW);
      await a.finish(first, answer, NOW);
      for (const store of [a, b]) {
        expect(await store.begin(claim(), NOW + 1)).toEqual({ kind: 'answer', answer });
        expect(await store.begin(claim({ requestHash: 'other' }), NOW + 1)).toEqual({ kind: 'keyReused' });
      }
      // Whoever looked has left nothing under way.
      expect(await a.begin(claim(), NOW + 1)).toEqual({ kind: 'answer', answer });
    });

    it('an abandoned run leaves the key as if it had never run', async () => {
      const first = claim();
      await a.begin(first, NOW);
      await a.abandon(first);
      expect(await b.begin(claim({ requestHash: 'other' }), NOW)).toEqual(run);
    });

    it('an answer is forgotten after a day, and its key is free then', async () => {
      const first = claim();
      await a.begin(first, NOW);
      await a.finish(first, 1, NOW);
      const late = NOW + IDEMPOTENCY_RETENTION;
      expect(await a.begin(claim(), late - 1)).toEqual({ kind: 'answer', answer: 1 });
      const second = claim({ requestHash: 'other' });
      expect(await a.begin(second, late)).toEqual(run);
      await a.finish(second, 2, late);
      expect(await a.begin(claim({ requestHash: 'other' }), late)).toEqual({ kind: 'answer', answer: 2 });
    });

    it('a run that is not renewed is taken over when its lease is over, and stores nothing any more', async () => {
      const slow = claim();
      await a.begin(slow, NOW);
      expect(await b.begin(claim({ owner: 'b' }), NOW + RUN_LEASE - 1)).toEqual(running);
      const next = claim({ owner: 'b' });
      expect(await b.begin(next, NOW + RUN_LEASE)).toEqual(run);
      expect(await a.renew(slow, NOW + RUN_LEASE)).toBe(false);
      await a.finish(slow, 'slow', NOW + RUN_LEASE);
      await a.abandon(slow);
      expect(await a.begin(claim(), NOW + RUN_LEASE)).toEqual(running);
      await b.finish(next, 'next', NOW + RUN_LEASE);
      expect(await a.begin(claim(), NOW + RUN_LEASE)).toEqual({ kind: 'answer', answer: 'next' });
    });

    it('a run that is renewed keeps its key', async () => {
      const long = claim();
      await a.begin(long, NOW);
      expect(await a.renew(long, NOW + RUN_LEASE - 1)).toBe(true);
      expect(await b.begin(claim({ owner: 'b' }), NOW + 2 * RUN_LEASE - 2)).toEqual(running);
      expect(await b.begin(claim({ owner: 'b' }), NOW + 2 * RUN_LEASE - 1)).toEqual(run);
    });

    it('every step may be repeated with the same claim', async () => {
      const first = claim();
      expect(await a.begin(first, NOW)).toEqual(run);
      expect(await a.begin(first, NOW)).toEqual(run);
      await a.finish(first, 'first', NOW);
      await a.finish(first, 'again', NOW);
      await a.abandon(first);
      await a.abandon(first);
      expect(await a.begin(claim(), NOW)).toEqual({ kind: 'answer', answer: 'first' });
    });

    it('a claim that takes a run over gets its id; another request, and one after an end, is a run of its own', async () => {
      const first = claim();
      expect(await a.begin(first, NOW)).toEqual({ kind: 'run', runId: first.runId });
      expect(await a.begin(first, NOW)).toEqual({ kind: 'run', runId: first.runId });
      const second = claim({ owner: 'b' });
      expect(await b.begin(second, NOW + RUN_LEASE)).toEqual({ kind: 'run', runId: first.runId });
      const third = claim();
      expect(await a.begin(third, NOW + 2 * RUN_LEASE)).toEqual({ kind: 'run', runId: first.runId });
      await a.abandonAll('a');
      expect(await b.begin(claim(), NOW + 2 * RUN_LEASE)).toEqual({ kind: 'run', runId: first.runId });
      const other = claim({ owner: 'b', requestHash: 'other' });
      expect(await b.begin(other, NOW + 3 * RUN_LEASE)).toEqual({ kind: 'run', runId: other.runId });
      await b.abandon(other);
      const last = claim({ requestHash: 'other' });
      expect(await a.begin(last, NOW + 3 * RUN_LEASE)).toEqual({ kind: 'run', runId: last.runId });
    });

    it('a restarted owner has no runs, and others keep theirs', async () => {
      const [own, others] = [claim(), claim({ owner: 'b', recordKey: { ...PLACE, key: 'other' } })];
      await a.begin(own, NOW);
      await b.begin(others, NOW);
      await a.abandonAll('a');
      expect(await b.begin(claim({ owner: 'b' }), NOW)).toEqual(run);
      expect(await a.begin(claim({ recordKey: others.recordKey }), NOW)).toEqual(running);
    });
  });
}
