import { expect, it } from 'vitest';
import { createPasswordHashing } from '../../../src/accounts/users/password-hashing.ts';

const CHEAP = { memoryKib: 8, passes: 1, maxConcurrent: 2, maxQueued: 100 };
const statusesOf = async (work: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(work)).map((one) =>
    one.status === 'fulfilled' ? 200 : (one.reason as { status: number }).status,
  );
const count = (statuses: readonly number[], status: number) => statuses.filter((one) => one === status).length;

it('given an address that asks for many hashes at once, then 3 wait, the others are 429, and another address is served', async () => {
  const { hash } = createPasswordHashing(CHEAP);
  const greedy = Array.from({ length: 50 }, () => hash('a password', '192.0.2.1'));
  const other = Array.from({ length: 3 }, () => hash('a password', '192.0.2.2'));
  const statuses = await statusesOf(greedy);
  expect([count(statuses, 200), count(statuses, 429)]).toEqual([5, 45]);
  expect(await statusesOf(other)).toEqual([200, 200, 200]);
  // Who has waited may wait again.
  expect(await statusesOf([hash('a password', '192.0.2.1')])).toEqual([200]);
});

it('given somebody with very many networks of one /48, then half of the queue is left for others', async () => {
  const { hash } = createPasswordHashing({ ...CHEAP, maxQueued: 20 });
  const greedy = Array.from({ length: 50 }, (_, n) => hash('a password', `2001:db8:0:${n.toString(16)}00::1`));
  const others = Array.from({ length: 10 }, (_, n) => hash('a password', `192.0.2.${n}`));
  expect(count(await statusesOf(greedy), 200)).toBe(12);
  expect(await statusesOf(others)).toEqual(Array(10).fill(200));
});

it('given more addresses than places, then the last ones are 503', async () => {
  const { hash } = createPasswordHashing({ ...CHEAP, maxQueued: 5 });
  const statuses = await statusesOf(Array.from({ length: 10 }, (_, n) => hash('a password', `192.0.2.${n}`)));
  expect([count(statuses, 200), count(statuses, 503)]).toEqual([7, 3]);
});
