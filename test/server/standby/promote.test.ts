import { describe, expect, it } from 'vitest';
import { createLeaseBook } from '../../../src/server/backup/lease-book.ts';
import type { LeaseEntry } from '../../../src/server/backup/lease-entry.ts';
import { createLeaseHolder, LEASE_LOST_TEXT } from '../../../src/server/standby/lease-holder.ts';
import { finishEarlier, promote } from '../../../src/server/standby/promote.ts';

/** A backup that answers at once. */
function givenBook() {
  const objects = new Map<string, string>();
  return createLeaseBook({
    async create(name, content) {
      if (objects.has(name)) return false;
      objects.set(name, content);
      return true;
    },
    read: async (name) => objects.get(name),
    names: async (folder) => [...objects.keys()].filter((name) => name.startsWith(`${folder}/`)).sort(),
    remove: async (name) => void objects.delete(name),
  });
}

type Book = ReturnType<typeof givenBook>;

let made = 0;
const maker = {
  now: () => 0,
  newNonce: () => `n${made++}`,
  newTimeline: () => `t${made++}`,
};

const lease = (number: number, holder = 'first'): LeaseEntry => ({
  form: 1,
  number,
  kind: 'lease',
  holder,
  nonce: `lease ${number} of ${holder}`,
  at: '',
  chain: [{ timeline: 't-first', holder }],
});

/** What a standby keeps that was killed before it knew whether its entry stands. */
const planned: LeaseEntry = {
  ...lease(2, 'planned'),
  kind: 'promotion',
  chain: [
    { timeline: 't-first', holder: 'first', end: { number: 3, head: 7 } },
    { timeline: 't-planned', holder: 'planned' },
  ],
};

/** A promotion on a clock that its own waits move. */
function promoteWith(book: Book, more: Partial<Parameters<typeof promote>[0]> = {}) {
  let clock = 0;
  const said: string[] = [];
  const promotion = promote({
    book,
    planned: undefined,
    isFirstGone: false,
    plan: () => {},
    catchUp: async () => ({ timeline: 't-first', number: 3, head: 7, takenAt: 0 }),
    goOn: () => {},
    say: (text) => said.push(text),
    steadyNow: () => clock,
    sleep: async (milliseconds) => {
      clock += milliseconds;
    },
    ...maker,
    ...more,
  });
  return { promotion, said, waited: () => clock };
}

describe('copies of the folder of a standby', () => {
  for (const stands of [true, false])
    it(`with a promotion that was broken off ${stands ? 'after' : 'before'} its entry stood: one becomes the first`, async () => {
      const book = givenBook();
      await book.append(lease(1));
      if (stands) await book.append(planned);
      const finished = await Promise.all(
        [1, 2, 3].map(() => finishEarlier(planned, { book, plan: () => {}, ...maker })),
      );

      const winners = finished.filter((entry) => entry !== undefined);
      expect(winners).toHaveLength(1);
      expect(await book.newest()).toEqual(winners[0]);
      expect(winners[0]!.holder).not.toBe('planned');
      expect(winners[0]!.chain).toEqual([planned.chain[0], expect.objectContaining({ holder: winners[0]!.holder })]);
    });

  it('that are promoted one after the other: the second is refused, and told what to do', async () => {
    const book = givenBook();
    await book.append(lease(1));
    const first = await promoteWith(book).promotion;
    const second = promoteWith(book).promotion;

    expect(first.kind).toBe('promotion');
    await expect(second).rejects.toThrow(/a copy of this folder was promoted.*begin a standby in an empty folder/);
    await expect(promoteWith(book, { planned: first }).promotion).resolves.toMatchObject({ number: first.number + 1 });
  });

  it('are refused once the one that was promoted writes', async () => {
    const book = givenBook();
    await book.append(lease(1));
    const first = await promoteWith(book).promotion;
    await book.append({ ...first, number: first.number + 1, kind: 'lease', nonce: 'it writes' });

    expect(await finishEarlier(first, { book, plan: () => {}, ...maker })).toBeUndefined();
    await expect(promoteWith(book, { planned: first }).promotion).rejects.toThrow('a copy of this folder was promoted');
  });
});

describe('where the first has never held a lease, a standby', () => {
  it('is not promoted without the word of the operator', async () => {
    await expect(promoteWith(givenBook()).promotion).rejects.toThrow('--first-is-gone');
  });

  it('waits with that word until a first that runs would have taken one, and the old first can never write again', async () => {
    const book = givenBook();
    const { promotion, said, waited } = promoteWith(book, { isFirstGone: true });
    const entry = await promotion;
    const old = createLeaseHolder({
      book,
      holder: 'first',
      place: undefined,
      timeline: () => 't-first',
      hasOwnHistory: async () => true,
      isFollowed: false,
      onFollowed: () => {},
      onLost: () => {},
      warn: () => {},
      steadyNow: () => 0,
      now: () => 0,
      setTimer: () => () => {},
      newNonce: () => 'old',
    });

    expect(entry).toMatchObject({ number: 1, kind: 'promotion' });
    expect(entry.chain[0]).toMatchObject({ timeline: 't-first', end: { number: 3, head: 7 } });
    expect(waited()).toBeGreaterThan(45_000);
    expect(said[0]).toContain('never held a lease');
    await expect(old.start()).rejects.toThrow(LEASE_LOST_TEXT.promoted);
    expect(old.gate.isOpen).toBe(false);
  });

  it('waits for the end of a lease that the first takes meanwhile', async () => {
    const book = givenBook();
    let looks = 0;
    const { promotion, said, waited } = promoteWith(
      {
        ...book,
        async newest() {
          if (looks++ === 3) await book.append(lease(1));
          return book.newest();
        },
      },
      { isFirstGone: true },
    );

    expect(await promotion).toMatchObject({ number: 2 });
    expect(said.some((text) => text.includes('runs out in'))).toBe(true);
    expect(waited()).toBeGreaterThan(31_500);
  });
});
