import { describe, expect, it } from 'vitest';
import type { Intake, Outcome } from '../../../src/ingest/intake/intake.ts';
import { createDemoFeed, endDemo } from '../../../src/sources/demo/demo-feed.ts';
import type { DemoFile, DemoState } from '../../../src/sources/demo/demo-run-file.ts';
import { FIRST_VIEW_SECONDS } from '../../../src/sources/demo/fixtures/fixtures.ts';
import { STARTED_AT } from './demo-days.ts';

type Message = Record<string, unknown>;
/** So fast that a day is over in 86 s: little lies between its games. */
const SPEED = 1000;
const NOW = STARTED_AT + (FIRST_VIEW_SECONDS * 1000) / SPEED;
const MINUTE = 60_000;

/** A folder with a demo, its clock and what has been taken of it. */
function folder() {
  let kept: DemoState | undefined;
  const world = {
    now: NOW,
    taken: [] as Message[],
    /** What the file held when each batch came. */
    keptAt: [] as { readonly kept: DemoState | undefined; readonly day: number }[],
    failing: false,
    errors: [] as string[],
    kept: () => kept,
  };
  const timers = new Set<() => void>();
  const file: DemoFile = {
    read: () => kept,
    write: (state) => {
      kept = structuredClone(state);
    },
    remove: () => {
      kept = undefined;
    },
  };
  const intake: Intake = {
    async accept(items) {
      if (world.failing) throw new Error('the disk is full');
      const messages = items.map((item) => (item as { value: Message }).value);
      world.keptAt.push({ kept, day: newestDay(messages) });
      world.taken.push(...messages);
      return { outcomes: items.map(({ line }): Outcome => ({ line, status: 'accepted' })), positions: new Map() };
    },
  };
  const setTimer = (callback: () => void) => {
    timers.add(callback);
    return () => void timers.delete(callback);
  };
  const onError = (_: unknown, what: string) => void world.errors.push(what);
  const newFeed = (seed = 1) =>
    createDemoFeed({ intake, file, seed, speed: SPEED, now: () => world.now, setTimer, onError });
  return {
    ...world,
    world,
    newFeed,
    end: () => endDemo({ intake, file, now: () => world.now, onError }),
    /** Lets time go by, and everything be handed over that is due then. */
    async until(time: number, isDone: () => boolean) {
      world.now = time;
      for (let turn = 0; turn < 10_000 && !isDone(); turn++) {
        for (const callback of [...timers]) {
          timers.delete(callback);
          callback();
        }
        await new Promise(setImmediate);
      }
      expect(isDone()).toBe(true);
    },
  };
}

const newestOf = (messages: readonly Message[]): number =>
  Math.max(0, ...messages.map(({ at }) => Date.parse(String(at))));

const isPast = ({ ref }: Message) => String(ref).startsWith('past-');

const newestDay = (messages: readonly Message[]): number =>
  Math.max(0, ...messages.map(({ ref }) => Number(/^\d+-\w+-(\d+)-/.exec(String(ref))?.[1] ?? 0)));

/** Games that were announced and have not come to an end. */
function unfinished(messages: readonly Message[]): string[] {
  const open = new Set<string>();
  for (const { kind, ref, status } of messages) {
    if (kind === 'schedule') open.add(String(ref));
    if (kind === 'score' && /^(?:final|cancelled|walkover|postponed)$/.test(String(status))) open.delete(String(ref));
  }
  return [...open];
}

async function played(demo: ReturnType<typeof folder>, seed?: number) {
  const feed = demo.newFeed(seed);
  feed.start();
  await feed.caughtUp;
  return feed;
}

describe('the demo feed', () => {
  it('begins with a past, and goes on as time does', async () => {
    const demo = folder();
    const feed = await played(demo);
    const past = demo.taken.length;

    expect(past).toBeGreaterThan(1000);
    expect(newestOf(demo.taken)).toBeLessThanOrEqual(NOW);
    await demo.until(NOW + 2000, () => newestOf(demo.taken) > NOW + 1500);
    await feed.stop();
    expect(newestOf(demo.taken)).toBeLessThanOrEqual(NOW + 2000);
    expect(demo.errors).toEqual([]);
  });

  it('has written down which run and which day it plays before anything of them is taken', async () => {
    const demo = folder();
    const feed = await played(demo);
    await demo.until(NOW + 2 * MINUTE, () => newestOf(demo.taken) > NOW + 1.9 * MINUTE);
    await feed.stop();

    expect(demo.keptAt[0]!.kept).toMatchObject({ seed: 1, speed: SPEED, startedAt: STARTED_AT, day: 0 });
    expect(newestDay(demo.taken)).toBeGreaterThan(0);
    for (const { kept, day } of demo.keptAt) expect(kept!.day).toBeGreaterThanOrEqual(day);
  });

  it('goes on after a stop where it was, and leaves no game unfinished', async () => {
    const demo = folder();
    await (await played(demo)).stop();
    const before = demo.taken.length;
    demo.world.now = NOW + 1000;
    await (await played(demo)).stop();

    const again = demo.taken.slice(before).filter((one) => !isPast(one) && Date.parse(String(one['at'])) < NOW - 2000);
    expect(again).toEqual([]);
    // Weeks later: what was under way has ended, and something is live again.
    demo.world.now = NOW + 20_000 * MINUTE;
    await (await played(demo)).stop();
    const old = unfinished(demo.taken).filter((ref) => Number(ref.split('-')[2]) < 10);
    expect(old).toEqual([]);
    expect(unfinished(demo.taken).length).toBeGreaterThan(5);
    expect(demo.taken.length).toBeLessThan(80_000);
  });

  it('leaves out what nobody has seen when the machine has slept', async () => {
    const demo = folder();
    const feed = await played(demo);
    const before = demo.taken.length;
    const later = NOW + 20_000 * MINUTE;
    await demo.until(later, () => newestOf(demo.taken) > later - 1000);
    await feed.stop();

    expect(demo.taken.length - before).toBeLessThan(80_000);
    expect(unfinished(demo.taken).filter((ref) => Number(ref.split('-')[2]) < 10)).toEqual([]);
  });

  it('begins another day for another seed, and calls off what it leaves', async () => {
    const demo = folder();
    await (await played(demo, 1)).stop();
    demo.world.now += 5000;
    await (await played(demo, 2)).stop();

    expect(unfinished(demo.taken).filter((ref) => ref.startsWith('1-'))).toEqual([]);
    expect(unfinished(demo.taken).filter((ref) => ref.startsWith('2-')).length).toBeGreaterThan(5);
    expect(demo.world.kept()).toMatchObject({ seed: 2, ended: [] });
  });

  it('sends the days before its first once for a folder, after what is due', async () => {
    const demo = folder();
    const feed = await played(demo, 1);
    expect(demo.taken.filter(isPast).length).toBeLessThan(500);
    await demo.until(NOW, () => demo.world.kept()?.past?.isPlayed === true);
    await feed.stop();
    const past = demo.taken.filter(isPast);
    expect(past.filter(({ kind }) => kind === 'score').length).toBe(3200);
    demo.world.now += 5000;
    const next = await played(demo, 2);
    await demo.until(demo.world.now + 2000, () => newestOf(demo.taken) > demo.world.now - 500);
    await next.stop();
    expect(demo.taken.filter(isPast).length).toBe(past.length);
  });

  it('sends them anew where it was stopped within them, the same ones', async () => {
    const demo = folder();
    await (await played(demo, 1)).stop();
    expect(demo.world.kept()?.past).toMatchObject({ seed: 1, isPlayed: false });
    demo.world.now += 5000;
    const feed = await played(demo, 2);
    await demo.until(demo.world.now, () => demo.world.kept()?.past?.isPlayed === true);
    await feed.stop();
    const refs = new Set(demo.taken.filter(isPast).map(({ ref }) => ref));
    expect(refs.size).toBe(3200);
    expect([...refs].every((ref) => String(ref).startsWith('past-1-'))).toBe(true);
  });

  it('calls everything off when it is ended for good', async () => {
    const demo = folder();
    await (await played(demo)).stop();
    await demo.end();

    expect(unfinished(demo.taken)).toEqual([]);
    expect(demo.world.kept()).toBeUndefined();
  });

  it('tries again what could not be handed over', async () => {
    const demo = folder();
    demo.world.failing = true;
    const feed = demo.newFeed();
    feed.start();
    await demo.until(NOW, () => demo.errors.length > 1);
    demo.world.failing = false;
    await demo.until(NOW, () => demo.taken.length > 1000);
    await feed.stop();

    expect(new Set(demo.taken.map((message) => JSON.stringify(message))).size).toBe(demo.taken.length);
  });
});
