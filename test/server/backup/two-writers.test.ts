import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { planRestore } from '../../../src/server/backup/restore-plan.ts';
import { HOUR, openWorld, stateOf } from './capture-world.ts';

/** As many calls as it takes until all names were looked at: a minute of a running server. */
const A_MINUTE = 20;

/** Two servers that write to one backup, on one clock: the second one begins a minute later, as one that was restored does. */
async function givenTwo() {
  const folder = mkdtempSync(join(tmpdir(), 'll-writers-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const first = await serverOf(folder);
  await first.write();
  first.clock.now += 60_000;
  const second = await serverOf(folder, first.clock.now);
  await second.write();
  /** For both. */
  const pass = (milliseconds: number) => {
    first.clock.now += milliseconds;
    second.clock.now = first.clock.now;
  };
  const plan = () => planRestore(first.target, undefined);
  onTestFinished(async () => {
    await first.close();
    await second.close();
  });
  return { first, second, pass, plan };
}

async function serverOf(folder: string, now?: number) {
  const world = await openWorld(folder, 1000 * HOUR);
  if (now !== undefined) world.clock.now = now;
  const { capture, close } = world.openAgain();
  return {
    ...world,
    capture,
    async write() {
      await world.append('one', 1);
      return capture();
    },
    async close() {
      close();
      await world.close();
    },
  };
}

type Server = Awaited<ReturnType<typeof serverOf>>;

async function lookThorough({ capture }: Server) {
  for (let n = 1; n < A_MINUTE; n++) await capture();
  return capture();
}

describe('two servers that write to one backup', () => {
  it('given a copy that was looked at and left, when the first has written since, then the first one is restored, and the copy is named', async () => {
    const { first, second, pass, plan } = await givenTwo();
    pass(3000);
    await first.write();
    expect((await plan()).plan.timeline).toBe(first.timeline());
    expect((await plan()).beside.map(({ timeline }) => timeline)).toEqual([second.timeline()]);
    expect(await first.restore()).toEqual(stateOf(first.database));
  });

  it('given two histories side by side, when one is named, then that one is restored', async () => {
    const { first, second, pass } = await givenTwo();
    pass(3000);
    await first.write();
    expect(await first.restore(undefined, second.timeline())).toEqual(stateOf(second.database));
    await expect(first.restore(undefined, 'nothing')).rejects.toThrow('nothing of the history nothing');
  });

  it('given a moment while both wrote, when it is restored, then it is one of the history that goes furthest', async () => {
    const { first, second, pass } = await givenTwo();
    pass(3000);
    await first.write();
    const moment = first.clock.now + 1000;
    const then = stateOf(first.database);
    pass(2000);
    await second.write();
    pass(3000);
    await first.write();
    expect(await first.restore(moment)).toEqual(then);
  });

  it('given two that write, when each has looked, then both are told, until one has been alone for an hour', async () => {
    const { first, second, pass } = await givenTwo();
    await first.write();
    expect((await lookThorough(first)).otherWriter).toBe(second.timeline());
    await lookThorough(second);
    pass(3000);
    await first.write();
    expect((await lookThorough(second)).otherWriter).toBe(first.timeline());
    pass(2 * HOUR);
    expect((await second.capture()).otherWriter).toBeUndefined();
  });

  it('given a copy that has left, when the first finds out and writes nothing new, then its history is the one that goes furthest', async () => {
    const { first, second, pass, plan } = await givenTwo();
    pass(3000);
    await first.write();
    pass(3000);
    await second.write();
    expect((await plan()).plan.timeline).toBe(second.timeline());
    pass(3000);
    await lookThorough(first);
    await first.capture();
    expect((await plan()).plan.timeline).toBe(first.timeline());
    expect(await first.restore()).toEqual(stateOf(first.database));
  });

  it('given a server whose history had ended before the next one began, then nobody is told, and nothing is side by side', async () => {
    const { first, second, plan } = await givenTwo();
    await second.write();
    expect((await lookThorough(second)).otherWriter).toBeUndefined();
    expect((await plan()).plan.timeline).toBe(second.timeline());
    expect((await plan()).beside).toEqual([]);
    expect(first.timeline()).not.toBe(second.timeline());
  });
});
