import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type BackupTarget, MissingBackup } from '../../../src/server/backup/backup-target.ts';
import { cases } from '../../support/cases.ts';
import { HOUR, openWorld, stateOf } from './capture-world.ts';

/** As many calls as it takes until all names were looked at: a minute of a running server. */
const A_MINUTE = 20;

/** A bucket has no disk that can be away: what is not there is gone. */
const asBucket = (target: BackupTarget): BackupTarget => ({ ...target, mayBeAway: false });

/** A backup on a disk of its own, which another one can take the place of. */
async function given(through?: (target: BackupTarget) => BackupTarget) {
  const folder = mkdtempSync(join(tmpdir(), 'll-missing-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const world = await openWorld(folder, 1000 * HOUR, through);
  const away = `${world.root}.away`;
  const backup = world.openAgain();
  async function write(): Promise<void> {
    world.clock.now += 3000;
    await world.append('one', 2);
  }
  return {
    ...world,
    backup,
    write,
    /** @returns the error that it fails with; undefined: it went well */
    capture: () =>
      backup.capture().then(
        () => undefined,
        (error: Error) => error,
      ),
    unmount() {
      renameSync(world.root, away);
      mkdirSync(world.root);
    },
    mount() {
      rmSync(world.root, { recursive: true });
      renameSync(away, world.root);
    },
    /** Of the one timeline. */
    files: (part: string) =>
      readdirSync(join(world.root, world.timeline(), part))
        .sort()
        .map((name) => join(world.root, world.timeline(), part, name)),
    async close() {
      backup.close();
      await world.close();
    },
  };
}

describe('a backup that does not hold what was written to it', () => {
  it('given a disk that is away for seconds, when facts come meanwhile, then the backup fails, writes nothing in its place, and is whole once it is back', async () => {
    const world = await given();
    await world.write();
    await world.capture();
    world.unmount();
    await world.write();
    const failures = [await world.capture(), await world.capture()];
    expect(failures).toEqual([expect.any(MissingBackup), expect.any(MissingBackup)]);
    expect(failures[0]!.message).toContain('is its disk mounted?');
    expect(readdirSync(world.root)).toEqual([]);
    world.mount();
    await world.write();
    expect(await world.capture()).toBeUndefined();
    expect(await world.restore()).toEqual(stateOf(world.database));
    await world.close();
  });

  it('given a disk that is away while nothing is new, then the backup fails all the same', async () => {
    const world = await given();
    await world.write();
    await world.capture();
    world.unmount();
    expect(await world.capture()).toBeInstanceOf(MissingBackup);
    await world.close();
  });

  it('given a disk that is away when the server starts, then it fails, begins nothing in its place, and goes on once it is back', async () => {
    const world = await given();
    await world.write();
    await world.capture();
    const begun = world.timeline();
    world.unmount();
    const again = world.openAgain();
    await expect(again.capture()).rejects.toBeInstanceOf(MissingBackup);
    expect(readdirSync(world.root)).toEqual([]);
    world.mount();
    await world.write();
    await again.capture();
    expect(world.timeline()).toBe(begun);
    expect(await world.restore()).toEqual(stateOf(world.database));
    again.close();
    await world.close();
  });

  it('given a disk that goes while a backup is made, then nothing is made in its place', async () => {
    let takeAway: (() => void) | undefined;
    const world = await given((target) => ({
      ...target,
      draftOf(name) {
        takeAway?.();
        takeAway = undefined;
        return target.draftOf(name);
      },
    }));
    await world.write();
    await world.capture();
    await world.write();
    takeAway = world.unmount;
    expect(await world.capture()).toBeInstanceOf(MissingBackup);
    expect(readdirSync(world.root)).toEqual([]);
    world.mount();
    expect(await world.capture()).toBeUndefined();
    expect(await world.restore()).toEqual(stateOf(world.database));
    await world.close();
  });

  it('given a bucket that was emptied, then the backup fails once, and everything is written again', async () => {
    const world = await given(asBucket);
    await world.write();
    await world.capture();
    rmSync(world.root, { recursive: true });
    await world.write();
    expect(await world.capture()).toBeInstanceOf(MissingBackup);
    expect(await world.capture()).toBeUndefined();
    expect(await world.restore()).toEqual(stateOf(world.database));
    await world.close();
  });

  it('given a folder that was put back to an earlier state, then the backup fails once, and what is missing is written again', async () => {
    const world = await given();
    await world.write();
    await world.capture();
    cpSync(world.root, `${world.root}.earlier`, { recursive: true });
    await world.write();
    await world.capture();
    rmSync(world.root, { recursive: true });
    renameSync(`${world.root}.earlier`, world.root);
    await world.write();
    expect(await world.capture()).toBeInstanceOf(MissingBackup);
    expect(await world.capture()).toBeUndefined();
    expect(readdirSync(world.root)).toHaveLength(1);
    expect(await world.restore()).toEqual(stateOf(world.database));
    await world.close();
  });

  it('given a segment in the middle of the log that has vanished, then the backup fails within a minute, and everything is written again', async () => {
    const world = await given();
    for (let n = 0; n < 4; n++) {
      await world.write();
      await world.capture();
    }
    rmSync(world.files('log')[1]!);
    const failures = [];
    for (let n = 0; n < A_MINUTE + 1; n++) failures.push(await world.capture());
    expect(failures.filter((one) => one !== undefined)).toEqual([expect.any(MissingBackup)]);
    expect(await world.restore()).toEqual(stateOf(world.database));
    await world.close();
  });

  it('becomes whole by itself, whatever vanished and however often', async () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.constant({ kind: 'write' as const }) },
      { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
      { weight: 1, arbitrary: fc.constant({ kind: 'empty' as const }) },
      { weight: 1, arbitrary: fc.constant({ kind: 'keep' as const }) },
      { weight: 1, arbitrary: fc.constant({ kind: 'put back' as const }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('vanish' as const), which: fc.nat(99) }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 20 }), async (steps) => {
        const folder = mkdtempSync(join(tmpdir(), 'll-missing-'));
        const world = await openWorld(folder, 1000 * HOUR, asBucket);
        let backup = world.openAgain();
        const kept = join(folder, 'kept');
        const tryNow = () =>
          backup.capture().then(
            () => true,
            () => false,
          );
        for (const one of steps) {
          world.clock.now += 3000;
          const files = existsSync(world.root)
            ? readdirSync(world.root, { recursive: true, encoding: 'utf8' }).filter((name) =>
                /\.(seg|unfinished)$/.test(name),
              )
            : [];
          if (one.kind === 'write') await world.append('one', 1);
          else if (one.kind === 'empty') rmSync(world.root, { recursive: true, force: true });
          else if (one.kind === 'vanish' && files.length > 0)
            rmSync(join(world.root, files[one.which % files.length]!));
          else if (one.kind === 'keep' && existsSync(world.root)) {
            rmSync(kept, { recursive: true, force: true });
            cpSync(world.root, kept, { recursive: true });
          } else if (one.kind === 'put back' && existsSync(kept)) {
            rmSync(world.root, { recursive: true, force: true });
            mkdirSync(dirname(world.root), { recursive: true });
            cpSync(kept, world.root, { recursive: true });
          } else if (one.kind === 'restart') {
            backup.close();
            backup = world.openAgain();
          }
          await tryNow();
        }
        const tries = [];
        for (let n = 0; n <= A_MINUTE + 2; n++) tries.push(await tryNow());
        expect(tries.at(-1)).toBe(true);
        world.clock.now += 1000;
        expect(await world.restore()).toEqual(stateOf(world.database));
        backup.close();
        await world.close();
        rmSync(folder, { recursive: true });
      }),
      { numRuns: cases(60, 12) },
    );
  });
});
