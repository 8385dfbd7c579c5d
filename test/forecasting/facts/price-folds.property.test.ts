import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { NewRecord } from '../../../src/domain/event-sourcing/record.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import { createPriceFolds } from '../../../src/forecasting/facts/price-folds.ts';
import { comparePriceUpdates } from '../../../src/intelligence/prices/closing-lines.ts';
import type { PriceFold, PriceFoldKind } from '../../../src/intelligence/prices/price-fold.ts';
import type { PriceUpdate } from '../../../src/intelligence/prices/quote-board.ts';
import type { AsOf } from '../../../src/read-models/as-of/as-of.ts';
import { createDocumentHistory } from '../../../src/read-models/as-of/document-history.ts';
import { createMemoryFoldStore } from '../../../src/read-models/store/fold-store.ts';

const BEGIN = Date.parse('2026-03-01T00:00:00Z');
const timeAt = (second: number): string => new Date(BEGIN + 1000 * second).toISOString();

const rethrow = (error: unknown): never => {
  throw error;
};

/** Lists what was applied, in its order. */
class Listed implements PriceFold {
  readonly updates: PriceUpdate[];
  constructor(updates: PriceUpdate[] = []) {
    this.updates = updates;
  }
  get newestMoment(): number {
    return this.updates.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
  }
  apply(update: PriceUpdate): void {
    this.updates.push(update);
  }
  save(): PriceUpdate[] {
    return this.updates;
  }
}

/** A log of odds, and folds of it that count how often something was applied. */
function priced(options: Parameters<typeof createDocumentHistory>[1] = {}) {
  const clock = { time: BEGIN };
  const log = createMemoryLog({ now: () => clock.time });
  const open = () => createPriceFolds(createDocumentHistory(log, options));
  let folds = open();
  const counted = { applied: 0, begun: 0 };
  const begin = (updates: PriceUpdate[] = []) => {
    counted.begun++;
    const fold = new Listed(updates);
    const apply = fold.apply.bind(fold);
    fold.apply = (update) => {
      counted.applied++;
      apply(update);
    };
    return fold;
  };
  const kind: PriceFoldKind<Listed> = {
    name: 'listed',
    stored: { name: 'listed', version: '1' },
    begin: () => begin(),
    restore: begin,
  };
  const record = (second: number, book: number, price: number): NewRecord => ({
    type: 'PricesChanged',
    version: 1,
    data: {
      eventId: 1,
      sport: 'nba',
      league: 'nba',
      at: timeAt(second),
      source: 'feed',
      content: {
        bookmaker: `book${book}`,
        markets: [
          { key: 'h2h', scope: 'match', alternate: false, complete: true, outcomes: [{ outcome: 'home', price }] },
        ],
      },
    },
    meta: { partition: 'event-1' },
  });
  const repeated = (second: number, of: number): NewRecord => ({
    type: 'PricesReconfirmed',
    version: 1,
    data: { eventId: 1, sport: 'nba', league: 'nba', at: timeAt(second), source: 'feed', of },
    meta: { partition: 'event-1' },
  });
  return {
    clock,
    counted,
    record,
    repeated,
    append: (...records: NewRecord[]) => log.append('odds-1', records, 'any'),
    read: (asOf?: AsOf) => folds.read(1, asOf, kind, ({ updates }) => [...updates]),
    size: () => folds.size,
    restart() {
      folds = open();
    },
  };
}

it('gives what all known updates give in their order, however they come and whenever it is asked', async () => {
  const steps = fc.array(
    fc.record({
      seconds: fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 5 }),
      book: fc.integer({ min: 0, max: 2 }),
      isRepeated: fc.boolean(),
      asksNow: fc.boolean(),
      restarts: fc.boolean(),
      asOf: fc.option(
        fc.record({ at: fc.integer({ min: 0, max: 60 }), basis: fc.constantFrom('recorded', 'observed') }),
      ),
    }),
    { minLength: 1, maxLength: 12 },
  );
  const every = fc.integer({ min: 1, max: 6 });
  const options = fc.record({ snapshotEvery: every, sizes: fc.record({ from: every, every, block: every }) });
  await fc.assert(
    fc.asyncProperty(steps, options, async (given, { snapshotEvery, sizes }) => {
      const storing = { store: createMemoryFoldStore(), sizes, onError: rethrow };
      const { clock, record, repeated, append, read, restart } = priced({ snapshotEvery, storing });
      const all: { readonly update: PriceUpdate; readonly recordedAt: number }[] = [];
      const known = (asOf?: AsOf) =>
        all
          .filter(({ update, recordedAt }) => !asOf || (asOf.basis === 'recorded' ? recordedAt : update.at) <= asOf.at)
          .map(({ update }) => update)
          .sort(comparePriceUpdates);
      for (const [index, { seconds, book, isRepeated, asksNow, asOf, restarts }] of given.entries()) {
        clock.time = BEGIN + 5000 * index;
        for (const second of seconds) {
          const price = 101 + all.length;
          const isCopy = isRepeated && all.length > 0;
          await append(isCopy ? repeated(second, 0) : record(second, book, price));
          const content = isCopy
            ? { bookmaker: all[0]!.update.bookmaker, markets: all[0]!.update.markets }
            : (record(second, book, price).data as any).content;
          all.push({ update: { at: BEGIN + 1000 * second, ...content }, recordedAt: clock.time });
        }
        if (restarts) restart();
        if (asksNow) expect(await read()).toEqual(known());
        const moment = asOf && { at: BEGIN + 1000 * asOf.at, basis: asOf.basis };
        // The server refuses moments to come.
        if (moment && moment.at <= clock.time) expect(await read(moment as AsOf)).toEqual(known(moment as AsOf));
      }
      expect(await read()).toEqual(known());
    }),
    { numRuns: 200 },
  );
});

it('is worked out once for all who ask, and kept until there is more', async () => {
  const { append, record, read, counted } = priced();
  await append(...Array.from({ length: 1000 }, (_, second) => record(second, second % 20, 101 + second)));
  const answers = await Promise.all(Array.from({ length: 8 }, () => read()));
  for (const answer of answers) expect(answer).toHaveLength(1000);
  expect(counted).toEqual({ applied: 1000, begun: 1 });

  await append(record(1000, 1, 555));
  expect((await read()).at(-1)).toMatchObject({ at: BEGIN + 1_000_000, bookmaker: 'book1' });
  expect(counted).toEqual({ applied: 1001, begun: 1 });

  await append(record(500, 1, 556));
  expect(await read()).toHaveLength(1002);
  expect(counted.begun).toBe(2);
});

it('keeps nothing of events that nobody has priced', async () => {
  const { read, size } = priced();
  expect(await read()).toEqual([]);
  expect(size().bytes).toBe(0);
});

it('given a start, goes on from what is stored, where what was made before is still true', async () => {
  const storing = { store: createMemoryFoldStore(), sizes: { from: 1, every: 100, block: 100 }, onError: rethrow };
  const { append, record, read, counted, restart } = priced({ storing });
  await append(...Array.from({ length: 1000 }, (_, second) => record(second, second % 20, 101 + second)));
  const before = await read();
  restart();
  counted.applied = 0;
  expect(await read()).toEqual(before);
  expect(counted.applied).toBeLessThan(512);

  // It belongs before all that is stored.
  await append(record(0, 1, 999));
  restart();
  expect(await read()).toHaveLength(1001);
});
