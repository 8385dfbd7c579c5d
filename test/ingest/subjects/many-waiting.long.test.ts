import { expect, it } from 'vitest';
import { longestBlocking, MAX_BLOCKING_MS } from '../../support/longest-blocking.ts';
import { openMendingServer } from './mending-server.ts';

const MANY = 10_000;
const head = { kind: 'identity', source: 'operator', at: '2026-09-10T12:00:00Z' };
const scores = Array.from({ length: MANY }, (_, second) => ({
  kind: 'score',
  source: 'b',
  at: new Date(Date.parse('2026-09-10T00:00:00Z') + second * 1000).toISOString(),
  ref: 'x',
  status: 'inprogress',
}));

it('a ref under which ten thousand messages wait is listed, dismissed and taken back, and holds nobody up', async () => {
  const server = await openMendingServer();
  await server.tellAll(scores);
  const dismissal = { ...head, action: 'dismiss', what: 'event', source_ref: { source: 'b', ref: 'x' } };
  const { longest } = await longestBlocking(async () => {
    expect(await server.waiting()).toMatchObject([{ ref: 'x', messages: MANY }]);
    expect(await server.tell(dismissal)).toEqual(['accepted']);
    expect([await server.waiting(), await server.size()]).toEqual([[], 0]);
    expect(await server.tell({ ...head, action: 'undo', act: 1 })).toEqual(['accepted']);
    expect(await server.size()).toBe(MANY);
  });
  expect(longest).toBeLessThan(MAX_BLOCKING_MS);
  await server.close();
});
