import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSqliteKeys } from '../../../src/accounts/keys/sql-keys.ts';
import { RefusedError } from '../../../src/domain/primitives/domain-errors.ts';
import { DAY, HOUR, MINUTE } from '../../../src/domain/primitives/time.ts';
import { SQLITE } from '../../../src/platform/sql/dialects.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { createSqliteRunner } from '../../../src/platform/sqlite/sqlite-runner.ts';
import { openRegistry } from '../../../src/server/composition/registry.ts';
import { cases } from '../../support/cases.ts';
import { begun, clientOf, createUsersWorld, EMAIL, PASSWORD, type UsersWorld } from './users-world.ts';

async function inWorld(work: (world: UsersWorld) => Promise<void>): Promise<void> {
  const connection = openSqliteDatabase({ file: ':memory:' });
  const database = await openRegistry(connection);
  const runner = createSqliteRunner(connection);
  const world = createUsersWorld({ database, runner, dialect: SQLITE, keys: createSqliteKeys(database) });
  try {
    await work(world);
  } finally {
    await world.close();
    await database.destroy();
  }
}

const WINDOW = 15 * MINUTE;

describe('whatever is tried, in any order', () => {
  it('sign-ins are refused exactly while too many have failed in the last 15 minutes', async () => {
    const tries = fc.array(
      fc.record({
        ip: fc.integer({ min: 1, max: 3 }),
        email: fc.constantFrom(EMAIL, 'nobody@example.com', 'other@example.com'),
        isRight: fc.boolean(),
        after: fc.constantFrom(0, 0, 0, 1, MINUTE, WINDOW - 1, WINDOW),
      }),
      { minLength: 20, maxLength: 80 },
    );
    await fc.assert(
      fc.asyncProperty(tries, (all) =>
        inWorld(async (world) => {
          await world.signedUp();
          const failed: { ip: number; email: string; at: number }[] = [];
          for (const { ip, email, isRight, after } of all) {
            world.clock.time += after;
            const now = world.clock.time;
            const recent = failed.filter(({ at }) => at > now - WINDOW);
            const ofIp = recent.filter((one) => one.ip === ip);
            const isThrottled =
              ofIp.length >= 20 ||
              ofIp.filter((one) => one.email === email).length >= 5 ||
              recent.filter((one) => one.email === email).length >= 100;
            const expected = isThrottled ? 429 : isRight && email === EMAIL ? 'signed_in' : 'wrong';
            if (expected === 'wrong') failed.push({ ip, email, at: now });
            const got = await world.signIn(email, isRight ? PASSWORD : 'no', clientOf(ip)).then(
              ({ outcome }) => outcome,
              (error: unknown) => (error instanceof RefusedError ? error.status : error),
            );
            expect(got).toBe(expected);
          }
        }),
      ),
      { numRuns: cases(50, 8) },
    );
  });

  it('sessions live exactly as long as their use, or 30 days after sign-in', async () => {
    const step = fc.record({
      act: fc.constantFrom('sign in', 'remembered', 'use', 'use', 'use', 'end', 'end others'),
      which: fc.nat(5),
      after: fc.constantFrom(1, 30_000, HOUR, 12 * HOUR - 1, 12 * HOUR, 10 * DAY),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), (steps) =>
        inWorld(async (world) => {
          const { user } = await world.signedUp();
          await world.database.deleteFrom('sessions').execute();
          const model = new Map<string, { id: number; until: number; isRemembered: boolean }>();
          for (const { act, which, after } of steps) {
            world.clock.time += after;
            const now = world.clock.time;
            const tokens = [...model.keys()];
            const token = tokens[which % Math.max(1, tokens.length)];
            const known = token === undefined ? undefined : model.get(token);
            const isAlive = known !== undefined && now < known.until;
            if (act === 'sign in' || act === 'remembered') {
              const isRemembered = act === 'remembered';
              const made = begun(await world.signIn(EMAIL, PASSWORD, clientOf(1), isRemembered));
              const until = now + (isRemembered ? 30 * DAY : 12 * HOUR);
              model.set(made.token, { id: made.session.id, until, isRemembered });
            } else if (token !== undefined && known) {
              const session = await world.users.session(token);
              expect(session !== undefined).toBe(isAlive);
              if (!session) continue;
              if (!known.isRemembered) known.until = now + 12 * HOUR;
              if (act === 'end') {
                await world.users.revokeSession(user, session.id, clientOf(1));
                model.delete(token);
              }
              if (act === 'end others') {
                await world.users.revokeOthers(session, clientOf(1));
                for (const other of tokens) if (other !== token) model.delete(other);
              }
            }
            const alive = [...model.values()].filter(({ until }) => now < until).map(({ id }) => id);
            const listed = (await world.users.sessionsOf(user)).sessions.map(({ id }) => id);
            expect(listed.sort()).toEqual(alive.sort());
          }
        }),
      ),
      { numRuns: cases(60, 10) },
    );
  });
});
