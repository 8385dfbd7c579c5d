import { describe, expect, it } from 'vitest';
import { createLeaseBook } from '../../../src/server/backup/lease-book.ts';
import type { LeaseEntry, Turn } from '../../../src/server/backup/lease-entry.ts';
import { createLeaseHolder, LEASE_LOST_TEXT } from '../../../src/server/standby/lease-holder.ts';
import { TAKE_OVER_REFUSED, takeOver } from '../../../src/server/standby/take-over.ts';

const RESTORED = { timeline: 't-first', number: 3, head: 7, takenAt: 0 };

/** A backup whose lease a first has held that is gone. */
async function givenLease(chain: Turn[] = [{ timeline: 't-first', holder: 'first' }]) {
  const objects = new Map<string, string>();
  const book = createLeaseBook({
    create: async (name, content) => !objects.has(name) && !!objects.set(name, content),
    read: async (name) => objects.get(name),
    names: async (folder) => [...objects.keys()].filter((name) => name.startsWith(`${folder}/`)).sort(),
    remove: async (name) => void objects.delete(name),
  });
  const renew = async () => {
    const number = ((await book.newest())?.number ?? 0) + 1;
    const { holder } = chain.at(-1)!;
    const entry: LeaseEntry = { form: 1, number, kind: 'lease', holder, nonce: `n ${number}`, at: '', chain };
    await book.append(entry);
  };
  await renew();
  return { book, renew };
}

let made = 0;

/** A restored folder that is started, on a clock that its own waits move. @param during called at each wait */
function start(
  { book }: Awaited<ReturnType<typeof givenLease>>,
  {
    newest = RESTORED,
    during = async () => {},
  }: { newest?: typeof RESTORED; during?: (now: number) => Promise<void> } = {},
) {
  let clock = 0;
  const planned: (LeaseEntry | undefined)[] = [];
  const taken = takeOver({
    book,
    restored: RESTORED,
    newestPoint: async () => newest,
    planned: undefined,
    plan: (entry) => void planned.push(entry),
    say: () => {},
    steadyNow: () => clock,
    now: () => 0,
    async sleep(milliseconds) {
      clock += milliseconds;
      await during(clock);
    },
    newNonce: () => `n${made++}`,
    newTimeline: () => `t${made++}`,
  });
  return { taken, planned, waited: () => clock };
}

describe('a restored folder that is started where all servers with the lease are gone', () => {
  it('given a lease that runs out, then it takes the lease over after that, and goes on after what was restored', async () => {
    const world = await givenLease();
    const { taken, planned, waited } = start(world);
    const entry = await taken;
    expect(waited()).toBeGreaterThanOrEqual(31_000);
    expect(entry).toEqual(await world.book.newest());
    expect(planned).toEqual([entry]);
    expect(entry.kind).toBe('promotion');
    expect(entry.chain).toEqual([
      { timeline: 't-first', holder: 'first', end: { number: 3, head: 7 } },
      expect.objectContaining({ holder: entry.holder }),
    ]);
  });

  it('given a first that only slept, when it wakes after that, then it may never write again', async () => {
    const world = await givenLease();
    await start(world).taken;
    const woken = createLeaseHolder({
      book: world.book,
      holder: 'first',
      place: undefined,
      timeline: () => 't-first',
      hasOwnHistory: async () => true,
      isFollowed: true,
      onFollowed: () => {},
      onLost: () => {},
      warn: () => {},
      steadyNow: () => 0,
      now: () => 0,
      setTimer: () => () => {},
      newNonce: () => `n${made++}`,
    });
    await expect(woken.start()).rejects.toThrow(LEASE_LOST_TEXT.promoted);
    expect(woken.gate.isOpen).toBe(false);
  });

  it('given a first that renews its lease, then it is refused, and told what to do', async () => {
    const world = await givenLease();
    const { taken, planned } = start(world, {
      during: async (now) => void (now % 6000 === 0 && (await world.renew())),
    });
    await expect(taken).rejects.toThrow(TAKE_OVER_REFUSED.renewed);
    expect(planned).toEqual([]);
    expect(TAKE_OVER_REFUSED.renewed).toContain('Stop that one');
  });

  it('given the last renewal of a first that is gone, when that comes late, then it waits for that too', async () => {
    const world = await givenLease();
    const { taken, waited } = start(world, { during: async (now) => void (now === 4000 && (await world.renew())) });
    expect((await taken).number).toBe(3);
    expect(waited()).toBeGreaterThanOrEqual(4000 + 31_000);
  });

  it('given a first that has backed up more since, then it is refused, and nothing of that is given up', async () => {
    const world = await givenLease();
    for (const newest of [
      { ...RESTORED, number: 4 },
      { ...RESTORED, timeline: 't-second' },
    ])
      await expect(start(world, { newest }).taken).rejects.toThrow(TAKE_OVER_REFUSED.behind);
    expect((await world.book.newest())?.kind).toBe('lease');
  });

  it('given a standby that was promoted and is gone before it backed up anything, then the lease is taken over from that one', async () => {
    const world = await givenLease([
      { timeline: 't-first', holder: 'first', end: { number: 3, head: 7 } },
      { timeline: 't-second', holder: 'second' },
    ]);
    const entry = await start(world).taken;
    expect(entry.chain.map(({ timeline }) => timeline)).toEqual(['t-first', entry.chain.at(-1)!.timeline]);
    expect(entry.chain.at(-1)!.timeline).not.toBe('t-second');
  });

  it('given a copy of it that has taken the lease over and backed up, then it is refused', async () => {
    const world = await givenLease();
    const { timeline } = (await start(world).taken).chain.at(-1)!;
    const copy = start(world, { newest: { ...RESTORED, timeline, number: 1 } });
    await expect(copy.taken).rejects.toThrow(TAKE_OVER_REFUSED.behind);
  });
});
