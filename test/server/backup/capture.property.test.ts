import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTimeline } from '../../../src/server/backup/backup-folder.ts';
import { verifyBackup } from '../../../src/server/backup/verify-backup.ts';
import { cases } from '../../support/cases.ts';
import { HOUR, openWorld, stateOf } from './capture-world.ts';

const step = fc.oneof(
  fc.record({ kind: fc.constant('append' as const), stream: fc.nat(3), count: fc.integer({ min: 1, max: 4 }) }),
  fc.record({
    kind: fc.constant('put' as const),
    id: fc.integer({ min: -3, max: 8 }),
    name: fc.nat(9),
    size: fc.double({ noNaN: true, noDefaultInfinity: true }),
  }),
  fc.record({ kind: fc.constant('remove' as const), id: fc.integer({ min: -3, max: 8 }) }),
  fc.constant({ kind: 'restart' as const }),
  fc.constant({ kind: 'hour' as const }),
);

describe('a backup', () => {
  it('becomes at each of its points exactly what was there, whatever happened and however often it began anew', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), async (steps) => {
        const folder = mkdtempSync(join(tmpdir(), 'll-capture-'));
        const world = await openWorld(folder, 1000 * HOUR);
        let backup = world.openAgain();
        const states: { readonly at: number; readonly state: unknown }[] = [];
        try {
          for (const one of steps) {
            world.clock.now += 1000;
            if (one.kind === 'append') await world.append(`things-${one.stream}`, one.count);
            else if (one.kind === 'put')
              world.database
                .prepare('INSERT OR REPLACE INTO things (id, name, size) VALUES (?, ?, ?)')
                .run([one.id, `n${one.name}`, one.size]);
            else if (one.kind === 'remove') world.database.prepare('DELETE FROM things WHERE id = ?').run([one.id]);
            else if (one.kind === 'hour') world.clock.now += HOUR;
            else {
              backup.close();
              backup = world.openAgain();
            }
            await backup.capture();
            states.push({ at: world.clock.now, state: stateOf(world.database) });
          }
          expect(await world.restore()).toEqual(states.at(-1)!.state);
          for (const { at, state } of [states[0]!, states[states.length >> 1]!])
            expect(await world.restore(at)).toEqual(state);
          const verified = await verifyBackup(world.target, undefined);
          expect(verified.flatMap(({ problems }) => problems)).toEqual([]);
        } finally {
          backup.close();
          await world.close();
          rmSync(folder, { recursive: true });
        }
      }),
      { numRuns: cases(60, 12) },
    );
  });

  it('joins the small segments of its log each hour, and drops the points that no moment needs any more', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'll-capture-'));
    const world = await openWorld(folder, 48 * HOUR);
    const backup = world.openAgain();
    const put = world.database.prepare('INSERT INTO things (name, size) VALUES (?, 1)');
    for (let n = 0; n < 40; n++) {
      world.clock.now += 1000;
      await world.append('one', 1);
      put.run([`n${n}`]);
      await backup.capture();
    }
    const of = (part: string) => readdirSync(join(world.root, world.timeline(), part));
    const small = of('log').length;
    const begun = world.clock.now;
    for (let day = 1; day <= 5; day++) {
      world.clock.now += 24 * HOUR;
      put.run([`day ${day}`]);
      await backup.capture();
    }

    expect(small).toBeGreaterThan(30);
    expect(of('log')).toHaveLength(1);
    expect(of('points').length).toBeLessThan(5);
    expect(await world.restore()).toEqual(stateOf(world.database));
    await expect(world.restore(begun)).rejects.toThrow(/the oldest moment of this backup is/);
    backup.close();
    await world.close();
    rmSync(folder, { recursive: true });
  });

  it('says which moment was reached, where a later one than its newest was asked for', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'll-capture-'));
    const world = await openWorld(folder, 48 * HOUR);
    const backup = world.openAgain();
    for (let n = 0; n < 3; n++) {
      world.clock.now += 60_000;
      await world.append('one', 1);
      await backup.capture();
    }
    const newest = world.clock.now;
    expect(await world.reachedAt(newest + 1000 * HOUR)).toBe(newest);
    expect(await world.reachedAt()).toBe(newest);
    expect(await world.reachedAt(newest - 30_000)).toBe(newest - 30_000);
    backup.close();
    await world.close();
    rmSync(folder, { recursive: true });
  });

  it('can be restored to each of its points after they were joined, whatever fails meanwhile, and after a clock that went back', async () => {
    const steps = fc.array(
      fc.record({ id: fc.nat(5), name: fc.nat(99), passes: fc.constantFrom(1000, 1000, 1000, 4000, HOUR / 4, -5000) }),
      { minLength: 20, maxLength: 90 },
    );
    await fc.assert(
      fc.asyncProperty(
        steps,
        fc.uniqueArray(fc.nat(300), { maxLength: 40 }),
        fc.array(fc.nat()),
        async (given, failing, chosen) => {
          const folder = mkdtempSync(join(tmpdir(), 'll-capture-'));
          let calls = 0;
          /** Before or after it has taken effect. */
          const unsure = (effect: (name: string) => Promise<void>) => async (name: string) => {
            if (failing.includes(calls++)) throw new Error('the target fails');
            await effect(name);
            if (failing.includes(calls++)) throw new Error('the answer is lost');
          };
          const world = await openWorld(folder, 1000 * HOUR, (target) => ({
            ...target,
            publish: unsure(target.publish),
            remove: unsure(target.remove),
          }));
          await world.append('one', 3);
          const begun = world.clock.now;
          const backup = world.openAgain();
          const states: { readonly at: number; readonly state: unknown }[] = [];
          for (const { id, name, passes } of given) {
            world.clock.now += passes;
            world.database
              .prepare('INSERT OR REPLACE INTO things (id, name, size) VALUES (?, ?, ?)')
              .run([id, `n${name}`, states.length]);
            // What has failed is gone on with, also where it had taken effect.
            for (let tries = 0, isDone = false; !isDone; tries++) {
              expect(tries).toBeLessThan(100);
              isDone = await backup.capture().then(
                () => true,
                () => false,
              );
            }
            states.push({ at: world.clock.now, state: stateOf(world.database) });
          }
          backup.close();
          await world.close();

          expect(await world.restore()).toEqual(states.at(-1)!.state);
          // Before these there is nothing: neither a point, nor the records that it has.
          const since = states.filter(({ at }) => at >= Math.max(begun, states[0]!.at));
          for (const { at } of chosen.slice(0, 4).flatMap((n) => since[n % since.length] ?? [])) {
            // The newest point of that time: with a clock that went back, a later one may say an earlier time.
            const expected = states.findLast((one) => one.at <= at)!;
            expect(await world.restore(at)).toEqual(expected.state);
          }
          const verified = await verifyBackup(world.target, undefined);
          expect(verified.flatMap(({ problems }) => problems)).toEqual([]);
          rmSync(folder, { recursive: true });
        },
      ),
      { numRuns: cases(12, 3), endOnFailure: true },
    );
  });

  it('has few files, however many points it has', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'll-capture-'));
    const world = await openWorld(folder, 1000 * HOUR);
    const backup = world.openAgain();
    const put = world.database.prepare('INSERT INTO things (name, size) VALUES (?, 1)');
    const points = 300;
    for (let n = 0; n < points; n++) {
      world.clock.now += 4 * 60_000;
      put.run([`n${n}`]);
      await backup.capture();
    }
    const { points: segments } = await readTimeline(world.target, world.timeline());

    // What the last hour has joined is still there beside it.
    expect(segments.at(-1)!.to).toBe(points);
    expect(segments.length).toBeLessThan(100);
    expect(await world.restore()).toEqual(stateOf(world.database));
    backup.close();
    await world.close();
    rmSync(folder, { recursive: true });
  });

  it('of a folder that was put back to an earlier state begins another timeline', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'll-capture-'));
    const world = await openWorld(folder, 48 * HOUR);
    await world.append('one', 3);
    const first = world.openAgain();
    await first.capture();
    first.close();
    const before = world.timeline();
    world.database.exec("UPDATE records SET data = '[1]' WHERE position = 3");
    world.clock.now += 1000;
    const second = world.openAgain();
    await second.capture();
    second.close();

    expect(world.timeline()).not.toBe(before);
    expect(readdirSync(world.root)).toHaveLength(2);
    await world.close();
    rmSync(folder, { recursive: true });
  });
});
