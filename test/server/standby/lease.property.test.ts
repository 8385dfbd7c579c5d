import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLeaseBook, type LeaseBook } from '../../../src/server/backup/lease-book.ts';
import type { LeaseEntry, Turn } from '../../../src/server/backup/lease-entry.ts';
import { createLeaseHolder, type LeaseHolder } from '../../../src/server/standby/lease-holder.ts';
import { finishEarlier, promote } from '../../../src/server/standby/promote.ts';
import { cases } from '../../support/cases.ts';

/** A clock of which all waits are part: nothing here waits for real. */
function createWorld() {
  let now = 0;
  let order = 0;
  const timers: { at: number; order: number; run: () => void }[] = [];
  const later = (run: () => void, milliseconds: number) => {
    const timer = { at: now + Math.max(0, milliseconds), order: order++, run };
    timers.push(timer);
    return () => {
      const index = timers.indexOf(timer);
      if (index >= 0) timers.splice(index, 1);
    };
  };
  /** Lets everything that is due run, in the order of time. */
  async function runUntil(end: number): Promise<void> {
    for (;;) {
      await settle();
      timers.sort((one, other) => one.at - other.at || one.order - other.order);
      if (timers.length === 0 || timers[0]!.at > end) break;
      const timer = timers.shift()!;
      now = Math.max(now, timer.at);
      timer.run();
    }
    now = end;
  }
  return { now: () => now, later, runUntil };
}

/** Until no promise goes on by itself. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 40; turns++) await Promise.resolve();
}

type World = ReturnType<typeof createWorld>;

/** A process that can sleep: nothing of it runs meanwhile, and its clock goes on. */
function createProcess(world: World) {
  let wakesAt = 0;
  const later = (run: () => void, milliseconds: number) => {
    let cancel = world.later(attempt, milliseconds);
    function attempt(): void {
      if (world.now() < wakesAt) cancel = world.later(attempt, wakesAt - world.now());
      else run();
    }
    return () => cancel();
  };
  return {
    later,
    isAwake: () => world.now() >= wakesAt,
    sleep: (milliseconds: number) => {
      wakesAt = Math.max(wakesAt, world.now() + milliseconds);
    },
  };
}

type Process = ReturnType<typeof createProcess>;

interface Trouble {
  readonly delays: readonly number[];
  /** Of each request: 0: it arrives; 1: it is lost; 2: it arrives and the answer is lost. */
  readonly losses: readonly number[];
}

/** The one store, and a process's way to it. */
function createStore() {
  const objects = new Map<string, string>();
  const wayOf = (world: World, process: Process, { delays, losses }: Trouble, isCutOff: () => boolean) => {
    let request = 0;
    const call = <T>(act: () => T): Promise<T> =>
      new Promise((resolve, reject) => {
        const index = request++;
        const delay = delays[index % delays.length]!;
        const loss = isCutOff() ? 1 : losses[index % losses.length]!;
        const fail = () => reject(new Error('no answer'));
        if (loss === 1) return void process.later(fail, 4000);
        // On its way it does not sleep, whoever sent it.
        world.later(() => {
          const result = act();
          process.later(loss === 2 ? fail : () => resolve(result), loss === 2 ? 4000 : delay);
        }, delay);
      });
    return {
      create: (name: string, content: string) =>
        call(() => {
          if (objects.has(name)) return false;
          objects.set(name, content);
          return true;
        }),
      read: (name: string) => call(() => objects.get(name)),
      names: (folder: string) => call(() => [...objects.keys()].filter((name) => name.startsWith(`${folder}/`)).sort()),
      remove: (name: string) => call(() => void objects.delete(name)),
    };
  };
  return { objects, wayOf };
}

function chainOf(objects: ReadonlyMap<string, string>): readonly Turn[] {
  const name = [...objects.keys()]
    .filter((one) => one.includes('/lease/'))
    .sort()
    .at(-1);
  return name === undefined ? [] : (JSON.parse(objects.get(name)!) as LeaseEntry).chain;
}

const trouble = fc.record({
  delays: fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 20 }),
  losses: fc.array(fc.constantFrom(0, 0, 0, 0, 1, 2), { minLength: 1, maxLength: 20 }),
});
/** What happens to whom: a sleep or a cut, from when and for how long. */
const event = fc.record({
  who: fc.integer({ min: 0, max: 3 }),
  what: fc.constantFrom('sleep', 'cut'),
  at: fc.integer({ min: 0, max: 400_000 }),
  lasts: fc.integer({ min: 1000, max: 300_000 }),
});
const story = fc.record({
  troubles: fc.tuple(trouble, trouble, trouble, trouble),
  events: fc.array(event, { maxLength: 8 }),
  promotedAt: fc.array(fc.integer({ min: 20_000, max: 300_000 }), { minLength: 1, maxLength: 2 }),
  /** Whether the second standby is a copy of the first one's folder, made as late as it is promoted. */
  isCopy: fc.boolean(),
  /** Whether that copy is started before it is promoted, as one whose promotion was broken off. */
  isStarted: fc.boolean(),
  /** When a clone of the disk of the first is started, which has all ids of it; undefined: there is none. */
  cloneAt: fc.option(fc.integer({ min: 0, max: 300_000 }), { nil: undefined }),
  /** When the first is killed and started again; whether on the same boot of the same machine. */
  restart: fc.option(fc.record({ at: fc.integer({ min: 1000, max: 300_000 }), isSameBoot: fc.boolean() }), {
    nil: undefined,
  }),
  /** When the first dies, and with a standby that registers only later; undefined: the standby was there first. */
  diesAt: fc.option(fc.integer({ min: 0, max: 20_000 }), { nil: undefined, freq: 3 }),
});

const END = 700_000;

interface Fact {
  readonly id: string;
  readonly holder: string;
  readonly at: number;
}

/** The first, up to two standbys, and a clone of the first, until the end. */
async function play({
  troubles,
  events,
  promotedAt,
  isCopy,
  isStarted,
  cloneAt,
  restart,
  diesAt,
}: typeof story extends fc.Arbitrary<infer T> ? T : never) {
  const world = createWorld();
  const store = createStore();
  const processes = troubles.map(() => createProcess(world));
  const cutUntil = troubles.map(() => 0);
  const holders = new Map<number, LeaseHolder>();
  const accepted: Fact[] = [];
  /** What each history has in the store: points by their number, each with the facts up to it. */
  const shipped = new Map<string, Fact[]>();
  const failures: string[] = [];
  const promoted: number[] = [];
  let nonce = 0;
  let timelines = 0;
  const isLate = diesAt !== undefined;
  const register = () => void store.objects.set('standby/registered.json', '{}');
  if (!isLate) register();

  const bookOf = (who: number): LeaseBook =>
    createLeaseBook(store.wayOf(world, processes[who]!, troubles[who]!, () => world.now() < cutUntil[who]!));

  function hold(who: number, id: string, timeline: string, begun: readonly Fact[], place = `${who}`): () => void {
    const process = processes[who]!;
    let isKilled = false;
    let hasBegun = false;
    const holder = createLeaseHolder({
      book: bookOf(who),
      holder: id,
      place,
      timeline: () => timeline,
      hasOwnHistory: async () => true,
      isFollowed: !(isLate && who === 0),
      onFollowed: () => {},
      onLost: () => {},
      warn: () => {},
      steadyNow: world.now,
      now: world.now,
      setTimer: process.later,
      newNonce: () => `n${nonce++}`,
    });
    holders.set(who, holder);
    const own = [...begun];
    let sent = begun.length;
    if (!shipped.has(timeline)) shipped.set(timeline, [...begun]);
    void holder.firstHeld.then(() => {
      hasBegun = true;
    });
    void holder.start().catch(() => {});
    const write = (): void => {
      if (isKilled) return;
      if (holder.gate.isOpen) {
        const fact = { id: `${timeline}-${own.length}`, holder: id, who, at: world.now() };
        own.push(fact);
        accepted.push(fact);
        const open = [...holders].filter(([, one]) => one.gate.isOpen).map(([one]) => one);
        if (open.length > 1) failures.push(`at ${world.now()} several may write: ${open}`);
      }
      process.later(write, 1000);
    };
    const ship = (): void => {
      if (isKilled) return;
      // Also without a lease: what was written late may come. But not before the first one.
      if (hasBegun && world.now() >= cutUntil[who]!) {
        shipped.set(timeline, [...own]);
        sent = own.length;
      }
      process.later(ship, 4000);
    };
    void sent;
    process.later(write, 500);
    process.later(ship, 700);
    return () => {
      isKilled = true;
      void holder.stop();
      holders.delete(who);
    };
  }

  for (const { who, what, at, lasts } of events)
    world.later(() => {
      if (what === 'sleep') processes[who]!.sleep(lasts);
      else cutUntil[who] = Math.max(cutUntil[who]!, world.now() + lasts);
    }, at);
  const kill = hold(0, 'h0', 't0', []);
  if (cloneAt !== undefined && !isLate) world.later(() => void hold(3, 'h0', 't0', shipped.get('t0')!), cloneAt);
  if (restart && !isLate)
    world.later(() => {
      kill();
      hold(0, 'h0', 't0', shipped.get('t0')!, restart.isSameBoot ? '0' : 'later');
    }, restart.at);
  if (isLate) {
    world.later(() => {
      processes[0]!.sleep(2 * END);
      holders.delete(0);
    }, diesAt);
    world.later(register, 20_001);
  }
  /** What the folders of the standbys hold. */
  const folders = [0, 1, 2].map(() => ({ planned: undefined as LeaseEntry | undefined, has: [] as readonly Fact[] }));
  promotedAt.forEach((at, index) => {
    const who = index + 1;
    const process = processes[who]!;
    const folder = folders[who]!;
    const making = {
      book: bookOf(who),
      plan: (planned: LeaseEntry | undefined) => {
        folder.planned = planned;
      },
      now: world.now,
      newNonce: () => `n${nonce++}`,
      newTimeline: () => `t${++timelines}`,
    };
    const promoteNow = () =>
      promote({
        ...making,
        planned: folder.planned,
        isFirstGone: isLate,
        // A standby of the first history: where another was promoted, it is refused.
        async catchUp() {
          await new Promise<void>((resolve) => void process.later(resolve, 1500));
          folder.has = [...shipped.get('t0')!];
          return { timeline: 't0', number: folder.has.length, head: folder.has.length, takenAt: 0 };
        },
        goOn: () => {},
        say: () => {},
        steadyNow: world.now,
        sleep: (milliseconds) => new Promise((resolve) => void process.later(resolve, milliseconds)),
      });
    async function becomeFirst(): Promise<void> {
      if (isCopy && who === 2) Object.assign(folder, folders[1]);
      const finished = isStarted && folder.planned && (await finishEarlier(folder.planned, making));
      const { holder, chain } = finished || (await promoteNow());
      hold(who, holder, chain.at(-1)!.timeline, folder.has);
      promoted.push(who);
    }
    process.later(() => void becomeFirst().catch(() => {}), at);
  });
  await world.runUntil(END);
  return { accepted, shipped, failures, holders, promoted, chain: chainOf(store.objects) };
}

describe('the lease', () => {
  it('is never held by two, whoever sleeps or is cut off, and what it shipped stays', async () => {
    let promotions = 0;
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(story, async (given) => {
        const { accepted, shipped, failures, chain } = await play(given);
        expect(failures).toEqual([]);
        runs++;
        if (chain.length === 0) return;
        if (chain.length > 1) promotions++;
        // What is believed: each history up to its end, and the last one whole. A standby whose answers are all lost does
        // not know yet that it was promoted, and has begun none: what it follows is believed up to its end.
        const newest = chain.filter(({ timeline }) => shipped.has(timeline)).at(-1)!;
        const believed = new Set(
          shipped
            .get(newest.timeline)!
            .slice(0, newest.end?.head)
            .map(({ id }) => id),
        );
        for (const { timeline, end } of chain)
          for (const { id } of (shipped.get(timeline) ?? []).slice(0, end?.head)) expect(believed).toContain(id);
        // Facts of the new first come after all of the old one.
        const last = accepted.filter(({ holder }) => holder === chain.at(-1)!.holder)[0];
        const before = accepted.filter(({ holder }) => holder !== chain.at(-1)!.holder);
        if (last && chain.length > 1) expect(before.every(({ at }) => at <= last.at)).toBe(true);
      }),
      { numRuns: cases(300) },
    );
    expect(promotions).toBeGreaterThan(runs / 10);
  });
});
