import { describe, expect, it } from 'vitest';
import { watchParent } from '../../../src/server/bin/parent-watch.mjs';

/** A process whose parent is 10 and that a program has launched as a script, unless it is told otherwise. */
function launched(env: Record<string, string | undefined>, ppid = 10) {
  const looks: (() => void)[] = [];
  const there = new Set([10, 20]);
  const current = {
    pid: 30,
    ppid,
    sent: [] as unknown[],
    kill(pid: number, signal?: string | number): true {
      if (signal !== 0) this.sent.push([pid, signal]);
      else if (!there.has(pid)) throw Object.assign(new Error(), { code: 'ESRCH' });
      return true;
    },
  };
  watchParent(env, current, (look) => {
    looks.push(look);
    return { unref() {} } as never;
  });
  return { current, there, look: () => looks.forEach((one) => void one()), isWatched: looks.length > 0 };
}

describe('a process that a program has launched as a script of package.json', () => {
  it('gets SIGTERM once that program is not its parent any more, and not before', () => {
    const env = { LAUNCHED_BY: '10' };
    const { current, look } = launched(env);
    look();
    expect(current.sent).toEqual([]);
    current.ppid = 1;
    look();
    expect(current.sent).toEqual([[30, 'SIGTERM']]);
    // Its own children are none of that program's.
    expect(env).toEqual({});
  });

  it('behind a shim, gets SIGTERM once the program is gone', () => {
    const { current, there, look } = launched({ LAUNCHED_BY: '20' }, 10);
    look();
    expect(current.sent).toEqual([]);
    there.delete(20);
    look();
    expect(current.sent).toEqual([[30, 'SIGTERM']]);
  });
});

it.each([
  ['without a launcher', {}, 10],
  ['that is to be detached', { LAUNCHED_BY: '10', DETACH: 'on' }, 10],
  ['whose launcher is long gone', { LAUNCHED_BY: '77' }, 10],
  ['of which the first process is the launcher', { LAUNCHED_BY: '1' }, 1],
  ['with a launcher that is no process', { LAUNCHED_BY: 'x' }, 10],
])('a process %s is not watched', (_, env, ppid) => {
  expect(launched(env, ppid).isWatched).toBe(false);
});
