import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OPERATOR } from '../../../src/domain/feed/identity-message.ts';
import { FeedIntake } from '../../../src/ingest/pipeline/feed-intake.ts';
import { bookOf, LATER, type Message, pricesOf, scheduleOf, scoreByMatch, scoreOf } from '../feed-messages.ts';
import { type ForcedIntake, openForcedIntake } from './forced-intake.ts';
import { readLog, saidOf } from './replayed-log.ts';

/** Seven hours from the other schedule, so that it is another event. */
const SECOND_START = { starts_at: '2026-09-15T18:00:00Z' };

let clock = LATER;
let worlds: ForcedIntake[] = [];
const openWorld = async () => {
  const world = await openForcedIntake(() => (clock += 1000));
  worlds.push(world);
  return world;
};
let world: ForcedIntake;
let one: number;
let other: number;
beforeEach(async () => {
  clock = LATER;
  world = await openWorld();
  for (const message of BEFORE) await tell(message);
  one = await idOf('a');
  other = await idOf('b');
});
afterEach(async () => {
  for (const opened of worlds) await opened.close();
  worlds = [];
});

const BEFORE: readonly Message[] = [
  scheduleOf('a'),
  scheduleOf('b', SECOND_START),
  ...Array.from({ length: 40 }, (_, index) => index + 1).flatMap((n) => [
    scoreOf('a', n, n),
    scoreOf('b', n, n % 7),
    pricesOf('b', n, -110 - (n % 3)),
    pricesOf('a', n, -110),
  ]),
];
const AFTER: readonly Message[] = [
  scoreOf('b', 50, 30),
  pricesOf('a', 51, 120),
  scoreOf('a', 52, 33),
  scoreOf('b', 53, 31),
];

const idOf = async (source: string, of = world) => (await of.identities.findEvent(source, `${source}-1`))!.id;

async function tell(message: Message, of = world): Promise<void> {
  expect(await of.tell(message)).toBe('accepted');
}

let acts = 0;
async function act(more: Message, intake = world.intake) {
  // No two acts at the same time.
  const at = new Date(LATER - 60_000 + ++acts).toISOString();
  const message = { kind: 'identity', source: OPERATOR, at, ...more };
  const { outcomes } = await intake.accept([{ line: 1, value: message }]);
  return outcomes[0]!;
}
const merge = (more: Message = {}, intake = world.intake) =>
  act({ action: 'merge', what: 'event', from: other, into: one, ...more }, intake);
const undo = (id: number) => act({ action: 'undo', act: id });

/** A server to which all was told of one event. */
async function openRightWorld(messages: readonly Message[]) {
  const right = await openWorld();
  for (const message of messages) {
    if (message === BEFORE[0]) await right.tell(message);
    else await right.tell(message, { id: await idOf('a', right), swapped: false });
  }
  return right;
}

describe('order books of two events that are merged', () => {
  const FEE = { fee: { model: 'notional', rate: 0.01 } };
  /** Books of one venue under both refs: other prices, other sizes at the same price, and a ladder as it was. */
  const BOOKS: readonly Message[] = [
    bookOf('a', 60, 0.5, 100, FEE),
    bookOf('b', 61, 0.55, 80),
    bookOf('a', 62, 0.5, 250),
    bookOf('a', 63, 0.5, 260),
    bookOf('b', 64, 0.55, 80),
    bookOf('b', 65, 0.52, 70, FEE),
  ];
  const LATER_BOOKS: readonly Message[] = [bookOf('b', 66, 0.52, 75), bookOf('a', 67, 0.6, 10)];

  it('are as if all had been told of one, with their ladders and fees', async () => {
    for (const message of BOOKS) await tell(message);
    await merge();
    expect(JSON.stringify(await saidOf(one, world.log))).toContain('"depth"');
    for (const message of LATER_BOOKS) await tell(message);
    const right = await openRightWorld([...BEFORE, ...BOOKS, ...LATER_BOOKS]);
    expect(await saidOf(one, world.log)).toEqual(await saidOf(await idOf('a', right), right.log));
  });

  it('are as if never merged once that is undone', async () => {
    for (const message of BOOKS) await tell(message);
    await merge();
    for (const message of LATER_BOOKS) await tell(message);
    await undo(1);
    const never = await openWorld();
    for (const message of [...BEFORE, ...BOOKS, ...LATER_BOOKS]) await never.tell(message);
    expect(await saidOf(one, world.log)).toEqual(await saidOf(await idOf('a', never), never.log));
    expect(await saidOf(other, world.log)).toEqual(await saidOf(await idOf('b', never), never.log));
  });
});

describe('two events that are merged', () => {
  it('are as if all had been told of one, whatever is told afterwards under either ref', async () => {
    expect(await merge()).toMatchObject({ status: 'accepted' });
    for (const message of AFTER) await tell(message);

    const right = await openRightWorld([...BEFORE, ...AFTER]);
    expect(await saidOf(one, world.log)).toEqual(await saidOf(await idOf('a', right), right.log));
    expect(Object.values(await saidOf(other, world.log)).flat()).toEqual([]);
    expect(await idOf('b')).toBe(one);
  });

  it('are one also for what is told while they are merged', async () => {
    const merging = merge();
    for (const message of AFTER) await tell(message);
    expect(await merging).toMatchObject({ status: 'accepted' });

    const right = await openRightWorld([...BEFORE, ...AFTER]);
    expect(await saidOf(one, world.log)).toEqual(await saidOf(await idOf('a', right), right.log));
  });

  it('keep the times of the first recording, and are marked with the time of the act', async () => {
    const before = (await readLog(world.log)).length;
    await merge();
    const added = (await readLog(world.log)).slice(before);
    const marks = added.filter(({ type }) => type === 'EventRestated');
    expect(marks.map(({ data }) => (data as { eventId: number }).eventId)).toEqual([one, other]);
    const acted = added.find(({ type }) => type === 'IdentityActed')!;
    for (const record of added) {
      if (record === acted || marks.includes(record)) expect(record.meta.firstRecordedAt).toBeUndefined();
      else expect(record.recordedAt < acted.recordedAt).toBe(true);
    }
  });

  it('keep the order of the first recording, however often the merge is undone and done again', async () => {
    const described = { kind: 'team', source: 'a', at: '2026-09-02T00:00:00Z', sport: 'nfl', league: 'nfl' };
    const told = [
      scoreOf('b', 50, 30),
      { ...described, ref: 'a-chiefs', name: 'Chiefs', abbreviation: 'KC' },
      scoreOf('a', 52, 33),
    ];
    await merge();
    for (const message of told) await tell(message);
    const [merged] = (await readLog(world.log)).flatMap(({ type, data }) =>
      type === 'IdentityActed' ? [data.act] : [],
    );
    for (let last = merged!; last < merged! + 4; last++) expect(await undo(last)).toMatchObject({ status: 'accepted' });

    const right = await openRightWorld([...BEFORE, ...told]);
    expect(await saidOf(one, world.log)).toEqual(await saidOf(await idOf('a', right), right.log));
  });

  it('are as if never merged once that is undone, and merged again once the undo is undone', async () => {
    const never = await openWorld();
    for (const message of [...BEFORE, ...AFTER]) await never.tell(message);
    const right = await openRightWorld([...BEFORE, ...AFTER]);

    await merge();
    for (const message of AFTER) await tell(message);
    expect(await undo(1)).toMatchObject({ status: 'accepted' });
    expect(await saidOf(one, world.log)).toEqual(await saidOf(await idOf('a', never), never.log));
    expect(await saidOf(other, world.log)).toEqual(await saidOf(await idOf('b', never), never.log));
    expect([await idOf('a'), await idOf('b')]).toEqual([one, other]);

    expect(await undo(2)).toMatchObject({ status: 'accepted' });
    expect(await saidOf(one, world.log)).toEqual(await saidOf(await idOf('a', right), right.log));
    expect(await idOf('b')).toBe(one);
  });
});

describe('a ref that is split off', () => {
  it('is an event of its own, and goes back with an undo', async () => {
    await merge();
    for (const message of AFTER) await tell(message);
    expect(await act({ action: 'split', what: 'event', source_ref: { source: 'b', ref: 'b-1' } })).toMatchObject({
      status: 'accepted',
    });
    const never = await openWorld();
    for (const message of [...BEFORE, ...AFTER]) await never.tell(message);
    const split = await idOf('b');
    expect([one, other]).not.toContain(split);
    expect(await saidOf(one, world.log)).toEqual(await saidOf(await idOf('a', never), never.log));
    expect(await saidOf(split, world.log)).toEqual(await saidOf(await idOf('b', never), never.log));

    await undo(2);
    const right = await openRightWorld([...BEFORE, ...AFTER]);
    expect(await saidOf(one, world.log)).toEqual(await saidOf(await idOf('a', right), right.log));
    expect(await idOf('b')).toBe(one);
  });
});

describe('what was told of an event by its sides alone', () => {
  it('is not lost when its event is no more: it is told of the one that fits now', async () => {
    await merge();
    await act({ action: 'split', what: 'event', source_ref: { source: 'b', ref: 'b-1' } });
    const byMatch: Message = {
      ...scoreByMatch('c', 77),
      match: { ...(scoreByMatch('c', 77)['match'] as Message), ...SECOND_START },
    };
    await tell(byMatch);
    const atOfC = async (id: number) =>
      (await saidOf(id, world.log))['event']!.filter(({ source }) => source === 'c').map(({ at }) => Date.parse(at));
    expect(await atOfC(await idOf('b'))).toEqual([Date.parse(String(byMatch['at']))]);
    await undo(2);
    expect(await atOfC(one)).toEqual([Date.parse(String(byMatch['at']))]);
    expect(await world.identities.quarantineSize()).toMatchObject({ messages: 0 });
  });
});

describe('an act that a crash interrupts', () => {
  it.each([
    ['before its commit', 'IdentityActed', false],
    ['after its commit', 'EventRestated', true],
  ] as const)('%s: done or not done, and whole', async (_, type, isDone) => {
    const { appendAll } = world.log;
    Object.assign(world.log, {
      appendAll: (appends: Parameters<typeof appendAll>[0]) =>
        appends.some(({ events }) => events.some((event) => event.type === type))
          ? Promise.reject(new Error('the process died'))
          : appendAll(appends),
    });
    await expect(merge()).rejects.toThrow('the process died');
    Object.assign(world.log, { appendAll });

    const options = { now: () => (clock += 1000), pause: async () => {}, random: () => 0 };
    const next = new FeedIntake({ log: world.log, identities: world.identities, ...options });
    await next.finishMove();
    const never = await openWorld();
    for (const message of BEFORE) await never.tell(message);
    const right = await openRightWorld(BEFORE);
    const [expected, from] = isDone ? [right, 'a'] : [never, 'a'];
    expect(await saidOf(one, world.log)).toEqual(await saidOf(await idOf(from, expected), expected.log));
    expect(await idOf('b')).toBe(isDone ? one : other);

    // It can be done again, or is done.
    expect(await merge({}, next)).toMatchObject({ status: isDone ? 'unchanged' : 'accepted' });
    expect(await saidOf(one, world.log)).toEqual(await saidOf(await idOf('a', right), right.log));
    expect(await idOf('b')).toBe(one);
  });
});

describe('what another process records while two events are merged', () => {
  const late = scoreOf('b', 60, 44);
  const later = scoreOf('b', 61, 45);
  const tellAnother = async (another: FeedIntake, message: Message) => {
    const { outcomes } = await another.accept([{ line: 1, value: message }]);
    expect(outcomes).toMatchObject([{ status: 'accepted' }]);
  };
  const expectRight = async () => {
    const right = await openRightWorld([...BEFORE, late, later]);
    expect(await saidOf(one, world.log)).toEqual(await saidOf(await idOf('a', right), right.log));
  };

  it('is found in the former stream, if it came just before the act', async () => {
    const another = await world.openAnother();
    const { appendAll } = world.log;
    let isTold = false;
    Object.assign(world.log, {
      async appendAll(appends: Parameters<typeof appendAll>[0]) {
        const isAct = appends.some(({ stream }) => stream.startsWith('identity-'));
        if (isAct && !isTold) {
          isTold = true;
          await tellAnother(another, late);
        }
        return appendAll(appends);
      },
    });
    expect(await merge()).toMatchObject({ status: 'accepted' });
    Object.assign(world.log, { appendAll });
    expect(isTold).toBe(true);
    await tell(later);
    await expectRight();
  });

  it('is decided again, if that process has not heard of the act', async () => {
    const another = await world.openAnother();
    await tellAnother(another, late);
    expect(await merge()).toMatchObject({ status: 'accepted' });
    await tellAnother(another, later);
    await expectRight();
  });
});

describe('acts that are refused do nothing', () => {
  const far = { starts_at: '2026-09-20T18:00:00Z' };
  const otherSides = [
    { role: 'home', name: 'Jets' },
    { role: 'away', name: 'Bills' },
  ];
  const OTHERS: readonly Message[] = [
    scheduleOf('c', { participants: otherSides }),
    scheduleOf('d', { sport: 'soccer', league: 'epl', participants: otherSides }),
    scheduleOf('e', far),
  ];
  const final = (source: string): Message => ({ ...scoreOf(source, 300, 3), status: 'final' });

  it.each<[string, (ids: Readonly<Record<string, number>>) => Message, string]>([
    ['an event that is not there', ({ a }) => ({ from: 999, into: a }), 'not_found'],
    ['into one that is not there', ({ a }) => ({ from: a, into: 999 }), 'not_found'],
    ['an event into itself', ({ a }) => ({ from: a, into: a }), 'same'],
    ['events of other sides', ({ a, c }) => ({ from: c, into: a }), 'different_sides'],
    ['events of two leagues', ({ c, d }) => ({ from: c, into: d }), 'different_league'],
    ['events that are over and far apart', ({ a, e }) => ({ from: a, into: e }), 'over_and_apart'],
    ['teams that have met', () => ({ what: 'team', from: 1, into: 2 }), 'different_sides'],
    ['a team that is not there', () => ({ what: 'team', from: 99, into: 2 }), 'not_found'],
    ['teams of two sports', () => ({ what: 'team', from: 1, into: 5 }), 'different_league'],
  ])('%s', async (_, wrong, code) => {
    for (const message of OTHERS) await tell(message);
    for (const source of ['a', 'e']) await world.tell(final(source));
    const ids: Record<string, number> = {};
    for (const source of ['a', 'b', 'c', 'd', 'e']) ids[source] = await idOf(source);
    const before = (await readLog(world.log)).length;
    expect(await merge(wrong(ids))).toMatchObject({ status: 'rejected', code });
    expect(await readLog(world.log)).toHaveLength(before);
  });

  it('events that are over and far apart are merged by force', async () => {
    await tell(OTHERS[2]!);
    for (const source of ['a', 'e']) await world.tell(final(source));
    expect(await merge({ from: one, into: await idOf('e'), force: true })).toMatchObject({ status: 'accepted' });
  });

  it('a merge the other way round, and an undo on which another act stands', async () => {
    await merge();
    expect(await merge()).toMatchObject({ status: 'unchanged' });
    expect(await merge({ from: one, into: other })).toMatchObject({ status: 'rejected', code: 'cycle' });
    await act({ action: 'split', what: 'event', source_ref: { source: 'b', ref: 'b-1' } });
    expect(await undo(1)).toMatchObject({ status: 'rejected', code: 'stands_on' });
    expect(await undo(2)).toMatchObject({ status: 'accepted' });
    expect(await undo(1)).toMatchObject({ status: 'accepted' });
  });

  it('the only ref of an event, and a ref that is not known', async () => {
    const split = (source: string) =>
      act({ action: 'split', what: 'event', source_ref: { source, ref: `${source}-1` } });
    expect(await split('a')).toMatchObject({ status: 'rejected', code: 'same' });
    expect(await split('x')).toMatchObject({ status: 'rejected', code: 'not_found' });
  });
});
