import { describe, expect, it } from 'vitest';
import { createPasswordHashing, DEFAULT_HASHING } from '../../../src/accounts/users/password-hashing.ts';
import { findPasswordProblem, loadCommonPasswords } from '../../../src/accounts/users/password-rules.ts';
import { CHEAP, refusal } from './users-world.ts';

describe('a password', () => {
  it('given 10 to 128 characters of any kind, then nothing is wrong', async () => {
    for (const password of ['a'.repeat(10), ' '.repeat(10), '🦊'.repeat(128), 'correct horse', 'e\u0301'.repeat(128)]) {
      expect(await findPasswordProblem(password, 'ann@example.com'), password).toBeUndefined();
    }
  });

  it('given a common one in any case of letters, then it is refused, of more than 10,000', async () => {
    expect((await loadCommonPasswords(0)).size).toBeGreaterThan(10_000);
    for (const password of ['1234567890', 'QwertyUiop', 'password123', 'Administrator']) {
      expect(await findPasswordProblem(password, undefined), password).toBeDefined();
    }
  });
});

describe('hashing', () => {
  it('given what ships, then it is Argon2id with 19 MiB and 2 passes', async () => {
    const hashing = createPasswordHashing(DEFAULT_HASHING);
    const hash = await hashing.hash('a fine password');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await hashing.isWeak(hash)).toBe(false);
    expect(await hashing.isWeak(await createPasswordHashing(CHEAP).hash('a fine password'))).toBe(true);
    expect(await hashing.verify(hash, 'a fine password')).toBe(true);
    expect(await hashing.verify(hash, 'another password')).toBe(false);
    expect(await hashing.verify(undefined, 'a fine password')).toBe(false);
  });

  it('given more than may wait, then they are refused with 503, and the others are done', async () => {
    const hashing = createPasswordHashing({ ...CHEAP, maxConcurrent: 1, maxQueued: 2 });
    const asked = Array.from({ length: 5 }, () => hashing.hash('a fine password'));
    const settled = await Promise.allSettled(asked);
    expect(settled.map(({ status }) => status)).toEqual([
      ...['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'],
    ]);
    expect(await refusal(asked[4]!)).toMatchObject({ status: 503, retryAfter: expect.any(Number) });
    expect(await hashing.hash('a fine password')).toContain('argon2id');
  });
});
