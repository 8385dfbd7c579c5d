import { describe, expect, it } from 'vitest';
import { createLeaseBook } from '../../../src/server/backup/lease-book.ts';
import { createLeaseHolder, LEASE_LOST_TEXT } from '../../../src/server/standby/lease-holder.ts';

/** A backup that a standby has registered in, and a clock. */
function givenBackup() {
  const objects = new Map([['standby/registered.json', '{}']]);
  const book = createLeaseBook({
    create: async (name, content) => !objects.has(name) && !!objects.set(name, content),
    read: async (name) => objects.get(name),
    names: async (folder) => [...objects.keys()].filter((name) => name.startsWith(`${folder}/`)),
    remove: async (name) => void objects.delete(name),
  });
  return { book, now: 0, nonces: 0 };
}

/** A start of the one folder, or of a clone of it. It tries when it is told. */
function start(world: ReturnType<typeof givenBackup>, place: string | undefined) {
  let next = () => {};
  const lost: string[] = [];
  const lease = createLeaseHolder({
    book: world.book,
    holder: 'folder',
    place,
    timeline: () => 'history',
    hasOwnHistory: async () => true,
    isFollowed: true,
    onFollowed: () => {},
    onLost: ({ message }) => lost.push(message),
    warn: () => {},
    steadyNow: () => world.now,
    now: () => world.now,
    setTimer: (run) => {
      next = run;
      return () => {};
    },
    newNonce: () => `n${world.nonces++}`,
  });
  const settle = async () => {
    for (let turns = 0; turns < 60; turns++) await Promise.resolve();
  };
  const tryAgain = async () => {
    next();
    await settle();
  };
  return { lease, lost, tryAgain };
}

describe('two starts of one data folder, of which one may run on a clone of the disk', () => {
  it('given one that renews its lease, when a clone is started, then the clone writes nothing, ends, and says what to do', async () => {
    const world = givenBackup();
    const first = start(world, 'here');
    await first.lease.start();
    const clone = start(world, 'there');
    await clone.lease.start();
    expect([first.lease.gate.isOpen, clone.lease.gate.isOpen]).toEqual([true, false]);
    expect(() => clone.lease.gate.assertOpen()).toThrow('an earlier start of this folder');
    for (let renewals = 0; renewals < 2; renewals++) {
      world.now += 5000;
      await first.tryAgain();
      await clone.tryAgain();
    }
    expect(clone.lost).toEqual([LEASE_LOST_TEXT.cloned]);
    expect(LEASE_LOST_TEXT.cloned).toContain('Stop one of them');
    expect([first.lease.gate.isOpen, clone.lease.gate.isOpen]).toEqual([true, false]);
  });

  it('given one whose lease has run out, when a clone has taken it, then the first, woken, is refused', async () => {
    const world = givenBackup();
    const first = start(world, 'here');
    await first.lease.start();
    const clone = start(world, 'there');
    await clone.lease.start();
    world.now += 31_000;
    await clone.tryAgain();
    expect([first.lease.gate.isOpen, clone.lease.gate.isOpen]).toEqual([false, false]);
    world.now += 1000;
    await clone.tryAgain();
    expect(clone.lease.gate.isOpen).toBe(true);
    await first.tryAgain();
    expect(first.lost).toEqual([LEASE_LOST_TEXT.cloned]);
    expect([first.lease.gate.isOpen, clone.lease.gate.isOpen]).toEqual([false, true]);
  });

  it('given one that was killed, when it is started again on the same file of the same boot, then it writes at once', async () => {
    const world = givenBackup();
    await start(world, 'here').lease.start();
    const again = start(world, 'here');
    await again.lease.start();
    expect(again.lease.gate.isOpen).toBe(true);
  });

  it('given one that gave its lease back, when two clones are started, then one of them writes', async () => {
    const world = givenBackup();
    const first = start(world, 'here');
    await first.lease.start();
    await first.lease.release();
    const clones = [start(world, 'there'), start(world, undefined)];
    await Promise.all(clones.map(({ lease }) => lease.start()));
    expect(clones.map(({ lease }) => lease.gate.isOpen).sort()).toEqual([false, true]);
  });

  it('given a machine that does not tell its boots apart, when it is started again, then it waits for the end of its lease', async () => {
    const world = givenBackup();
    await start(world, undefined).lease.start();
    const again = start(world, undefined);
    await again.lease.start();
    expect(again.lease.gate.isOpen).toBe(false);
    world.now += 32_000;
    await again.tryAgain();
    expect(again.lease.gate.isOpen).toBe(true);
    await again.lease.firstHeld;
  });
});
