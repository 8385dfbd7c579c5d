import fc from 'fast-check';
import { expect, it } from 'vitest';
import { oddsDecider, type PricesCommand } from '../../../commands/odds-decider.ts';
import { type OddsDocument, odds } from '../../../projections/odds/odds.ts';
import { createFold } from '../../../src/domain/event-sourcing/document-fold.ts';
import type { LogRecord } from '../../../src/domain/event-sourcing/record.ts';
import type { PricedMarket } from '../../../src/domain/odds/bookmaker-prices.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import { StreamStates } from '../../../src/ingest/states/stream-states.ts';
import type { ClientChange } from '../../../src/read-models/change-feed/change-mapper.ts';
import { createRecordMapper, SUBSCRIPTION_MAPPERS } from '../../../src/read-models/change-feed/record-mapper.ts';
import { suspectsOf } from '../../../src/read-models/rendering/render-odds.ts';
import { createMemoryStore } from '../../../src/read-models/store/memory-store.ts';
import { cases } from '../../support/cases.ts';
import { scheduled } from './scheduled-event.ts';

const START = Date.UTC(2026, 8, 10, 12);
const MINUTE = 60_000;
const iso = (time: number) => new Date(time).toISOString().replace('.000Z', 'Z');
const identity = { eventId: 1, sport: 'nfl', league: 'nfl' };

const step = fc.record({
  book: fc.constantFrom('pinnacle', 'circa', 'fanduel', 'betmgm'),
  minutes: fc.constantFrom(0, 1, 1, 1, 5, 80),
  market: fc.constantFrom('h2h' as const, 'h2h' as const, 'spreads' as const, 'h2h_3_way' as const),
  home: fc.constantFrom(-110, -110, -115, -105, 150, 160, -900),
  point: fc.constantFrom(-3, -3, -3.5),
  form: fc.constantFrom('whole', 'whole', 'whole', 'again', 'home alone', 'withdrawn'),
});
type Step = typeof step extends fc.Arbitrary<infer Drawn> ? Drawn : never;

const marketOf = ({ market, home, point, form }: Step): PricedMarket => {
  const outcomes = [
    { outcome: 'home' as const, price: home, ...(market === 'spreads' && { point }) },
    { outcome: 'away' as const, price: -110, ...(market === 'spreads' && { point: -point }) },
  ].slice(0, form === 'withdrawn' ? 0 : form === 'home alone' ? 1 : 2);
  return { key: market, scope: 'match', alternate: false, complete: form !== 'home alone', outcomes };
};

/** The log of these reports, and the documents after each record of prices. @param late minutes, again and again */
async function told(steps: readonly Step[], late: readonly number[] = [0]) {
  const log = createMemoryLog({ now: () => START });
  const states = new StreamStates(log, {});
  await log.append('event-1', scheduled, 'none');
  const newest = new Map<string, PricedMarket>();
  let at = START - 600 * MINUTE;
  for (const [n, one] of steps.entries()) {
    // A second later at least: of two messages of one time, one may be late.
    at += one.minutes * MINUTE + 1000;
    const market = (one.form === 'again' && newest.get(one.book)) || marketOf(one);
    newest.set(one.book, market);
    const content = { bookmaker: one.book, markets: [market] };
    const command: PricesCommand = { identity, source: 's', at: iso(at - late[n % late.length]! * MINUTE), content };
    await states.decide(oddsDecider, 1, command);
    await log.appendAll(states.takeStaged());
  }
  const records = await log.readAll(null, 1000);
  const documents = new Map<string, OddsDocument>();
  const fold = createFold(odds);
  const after = new Map<bigint, OddsDocument>();
  for (const record of records) {
    fold.applyInto(documents, record);
    after.set(record.position, structuredClone(documents.get('1')!));
  }
  const changesOf = (some: readonly LogRecord[]) =>
    createRecordMapper({ log, store: createMemoryStore(), mappers: SUBSCRIPTION_MAPPERS })(some, () => true);
  return { records, after, changes: await changesOf(records), changesOf };
}

type Told = Map<string, readonly [number, number | null]>;

/** The moves of one record to prices that are not suspect now, from those that were told. */
function expectedMoves(document: OddsDocument, last: Told): string[] {
  const isSuspect = suspectsOf(document);
  const moves: string[] = [];
  for (const [book, { markets }] of Object.entries(document.books)) {
    for (const market of ['h2h', 'spreads', 'h2h_3_way'] as const) {
      for (const { outcome, price, point = null } of markets[market] ?? []) {
        const series = `${book} ${market} ${outcome}`;
        const before = last.get(series);
        if (isSuspect(book, market, outcome) || (before?.[0] === price && before[1] === point)) continue;
        last.set(series, [price, point]);
        if (before) moves.push(`${series} ${before} ${[price, point]}`);
      }
    }
  }
  return moves.sort();
}

const NAMES: Readonly<Record<string, string>> = { Chiefs: 'home', Bills: 'away' };
const moveOf = ({ data }: ClientChange) =>
  `${data['bookmaker']} ${data['market_key']} ${NAMES[String(data['outcome'])]} ` +
  `${[data['price_from'], data['point_from']]} ${[data['price_to'], data['point_to']]}`;
const isOf = (type: string) => (change: ClientChange) => change.eventType === type;

const atOnce = (book: Step['book'], home: number): Step =>
  ({ book, minutes: 1, market: 'h2h', home, point: -3, form: 'whole' }) as Step;
/** One book leaves the others, and they follow it. */
const FOLLOWED = [
  ...(['pinnacle', 'circa', 'fanduel', 'betmgm'] as const).map((book) => atOnce(book, -110)),
  ...(['betmgm', 'pinnacle', 'circa', 'fanduel'] as const).map((book) => atOnce(book, 900)),
];

it('a suspect price is neither end of a move, and is told with the record that releases it', async () => {
  let released = 0;
  const runs = cases(240);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 40, size: 'max' }), async (steps) => {
      const { records, after, changes } = await told([...steps, ...FOLLOWED]);
      const last: Told = new Map();
      for (const record of records) {
        const moves = changes.filter((one) => one.position === record.position && isOf('line_move')(one));
        expect(moves.map(moveOf).sort()).toEqual(expectedMoves(after.get(record.position)!, last));
        for (const { data } of moves) expect(data['moved_at']).toBe((record.data as { at: string }).at);
        if (JSON.stringify(record.data).includes('"released"')) released++;
      }
    }),
    { numRuns: runs },
  );
  expect(released).toBeGreaterThanOrEqual(runs);
});

/** The markets that have prices, each of them told. */
const toldMarkets = ({ books }: OddsDocument, last: Told): string[] =>
  Object.entries(books).flatMap(([book, { markets }]) =>
    (['h2h', 'spreads', 'h2h_3_way'] as const).flatMap((market) => {
      const outcomes = markets[market] ?? [];
      const isTold = outcomes.every(({ outcome, price, point = null }) => {
        const told = last.get(`${book} ${market} ${outcome}`);
        return told?.[0] === price && told[1] === point;
      });
      return outcomes.length > 0 && isTold ? [`${book} ${market}`] : [];
    }),
  );

it('a market is new once, with the record after which each of its prices is told', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 40, size: 'max' }), async (steps) => {
      const { records, after, changes } = await told([...steps, ...FOLLOWED]);
      const last: Told = new Map();
      const known = new Set<string>();
      for (const { position } of records) {
        const document = after.get(position)!;
        expectedMoves(document, last);
        const expected = toldMarkets(document, last).filter((market) => !known.has(market));
        for (const market of expected) known.add(market);
        const opened = changes.filter((one) => one.position === position && isOf('new_price')(one));
        expect(opened.map(({ data }) => `${data['bookmaker']} ${data['market_key']}`).sort()).toEqual(expected.sort());
      }
    }),
    { numRuns: cases(60) },
  );
});

it('who begins to read anywhere is told the same, late messages or not', async () => {
  const late = fc.array(fc.constantFrom(0, 0, 0, 2, 7), { minLength: 1, maxLength: 9, size: 'max' });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 40, size: 'max' }), late, async (steps, delays) => {
      const { records, changes, changesOf } = await told(steps, delays);
      for (let start = 1; start < records.length; start += 2) {
        const from = records.slice(start);
        const first = from[0]?.position ?? 0n;
        expect(await changesOf(from)).toEqual(changes.filter(({ position }) => position >= first));
      }
    }),
    { numRuns: cases(40) },
  );
});

it('no late message tells a price that is suspect', async () => {
  const late = fc.array(fc.constantFrom(0, 0, 2, 7), { minLength: 1, maxLength: 9, size: 'max' });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 40, size: 'max' }), late, async (steps, delays) => {
      const { records, changes } = await told(steps, delays);
      for (const { position, data } of records) {
        const { held = {} } = (data as { suspect?: { held?: Record<string, unknown> } }).suspect ?? {};
        for (const change of changes.filter((one) => one.position === position && isOf('line_move')(one))) {
          const { bookmaker, market_key, outcome } = change.data;
          if (bookmaker !== (data as any).content.bookmaker) continue;
          expect(Object.keys(held)).not.toContain(`${market_key}|${NAMES[String(outcome)]}`);
        }
      }
    }),
    { numRuns: cases(60) },
  );
});

it('a suspect price makes no steam until it is released', async () => {
  const say = (book: Step['book'], home: Step['home'], form: Step['form'] = 'whole'): Step => {
    return { book, minutes: 1, market: 'h2h', home, point: -3, form };
  };
  const before = [say('pinnacle', -110), say('circa', -110), say('fanduel', -110)];
  const moves = [say('pinnacle', -115), say('circa', -115), say('fanduel', -900)];
  const steamOf = async (steps: readonly Step[]) =>
    (await told(steps)).changes.filter(isOf('steam')).map(({ data }) => [data['bookmakers'], data['price_to']]);
  expect(await steamOf([...before, ...moves])).toEqual([]);
  expect(await steamOf([...before, ...moves, say('fanduel', -900, 'again')])).toEqual([
    [['pinnacle', 'circa', 'fanduel'], -900],
  ]);
  // So does another book that comes near it, although it does not move itself.
  expect(await steamOf([...before, ...moves, say('betmgm', -900)])).toEqual([[['pinnacle', 'circa', 'fanduel'], -900]]);
});

it('the average of the books is no third book of steam', async () => {
  const say = (book: Step['book'], home: Step['home']): Step => {
    return { book, minutes: 1, market: 'h2h', home, point: -3, form: 'whole' };
  };
  const steamOf = async (third: string) => {
    const books = ['pinnacle', 'circa', third] as Step['book'][];
    const steps = [...books.map((book) => say(book, -110)), ...books.map((book) => say(book, -115))];
    return (await told(steps)).changes.filter(isOf('steam')).map(({ data }) => data['bookmakers']);
  };
  expect(await steamOf('consensus')).toEqual([]);
  expect(await steamOf('fanduel')).toEqual([['pinnacle', 'circa', 'fanduel']]);
});

it('given a late message among suspect prices that were never released, then no move leads to or from them', async () => {
  const moneyline = (book: Step['book'], home: number): Step =>
    ({ book, home, minutes: 5, market: 'h2h', point: -3, form: 'whole' }) as Step;
  const others = [moneyline('pinnacle', -110), moneyline('circa', -110), moneyline('fanduel', -110)];
  const own = [moneyline('betmgm', -110), moneyline('betmgm', 300), moneyline('betmgm', -115)];
  const movesOf = async (last: Step, late: number) => {
    const steps = [...others, ...own, last];
    const { records, changes } = await told(steps, [...steps.slice(1).map(() => 0), late]);
    const ofLast = ({ position }: ClientChange) => position === records.at(-1)!.position;
    return changes.filter((one) => ofLast(one) && isOf('line_move')(one)).map(moveOf);
  };
  // Between -110 and +300; between +300 and -115.
  expect(await movesOf(moneyline('betmgm', -105), 12)).toEqual(['betmgm h2h home -110, -105,']);
  expect(await movesOf(moneyline('betmgm', -105), 7)).toEqual(['betmgm h2h home -105, -115,']);
});
