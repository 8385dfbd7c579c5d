import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogRecord, NewRecord } from '../../../src/domain/event-sourcing/record.ts';
import { UnknownEventVersion } from '../../../src/domain/event-sourcing/upcast.ts';
import { pricesChanged } from '../../../src/event-log/encoding/odds-forms.ts';
import { decodeContent, encodeAsJson, encodeCompact } from '../../../src/event-log/encoding/record-encoding.ts';
import { openSqliteLog } from '../../../src/event-log/sqlite/sqlite-log.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const META = { partition: 'event-7' };
const again = (stream: string, record: NewRecord) =>
  decodeContent({ stream, type: record.type, ...encodeCompact(stream, record) });
/** The record after a round trip through JSON alone. */
const throughJson = ({ version, data, meta }: NewRecord) => {
  const whole = encodeAsJson({ type: 't', version, data, meta });
  return JSON.stringify([version, JSON.parse(whole.data), JSON.parse(whole.meta)]);
};
const expectExact = (stream: string, record: NewRecord) => {
  const { version, data, meta } = again(stream, record);
  expect(JSON.stringify([version, data, meta])).toBe(throughJson(record));
};

const outcomes = fc.array(
  fc.record(
    {
      outcome: fc.constantFrom('home', 'away', 'draw', 'over', 'under', 'player_1', 'player_2', 'nobody'),
      price: fc.oneof(fc.integer({ min: -1000, max: 1000 }), fc.double()),
      point: fc.oneof(fc.double(), fc.constant(null), fc.constant(-0), fc.constant(undefined)),
      team: fc.constantFrom('home', 'away'),
      player: fc.string({ unit: 'binary' }),
      player_ref: fc.string(),
      decimal: fc.oneof(fc.double(), fc.constant(1.019)),
    },
    { requiredKeys: ['outcome', 'price'] },
  ),
  { maxLength: 4 },
);
const at = fc.oneof(
  fc.constantFrom(
    '2026-09-03T00:00:00Z',
    '2026-09-03T00:00:00.120Z',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
  ),
  fc.constantFrom('2026-09-03T00:00:00.000Z', '2026-09-03T00:00Z', '', 'soon'),
);
const markets = fc.array(
  fc.record({
    key: fc.constantFrom('h2h', 'spreads', 'totals', 'team_totals', 'player_points', ''),
    scope: fc.constantFrom('match', '1H', 'F5', 'S1', 'other'),
    alternate: fc.boolean(),
    complete: fc.oneof(fc.boolean(), fc.constant(undefined)),
    outcomes,
  }),
  { maxLength: 4 },
);
const movement = fc.record({
  market: fc.constantFrom('h2h', 'spreads', 'totals'),
  outcome: fc.constantFrom('home', 'over'),
  from: fc.integer(),
  to: fc.integer(),
  pointFrom: fc.option(fc.double()),
  pointTo: fc.option(fc.double()),
  at,
});
const late = fc.record({
  prices: fc.record({
    capturedAt: at,
    markets: fc.dictionary(fc.oneof(fc.constantFrom('h2h', 'spreads/1H', '1', '__proto__'), fc.string()), outcomes),
  }),
  movements: fc.record({
    last: fc.dictionary(fc.string(), fc.tuple(fc.integer(), fc.option(fc.double()))),
    movements: fc.array(movement, { maxLength: 3 }),
  }),
});
const match = fc.record(
  { sport: fc.string(), league: fc.string(), starts_at: at, home: fc.string(), away: fc.string() },
  { requiredKeys: ['sport'] },
);
const origin = fc.record({ ref: fc.string(), match, turned: fc.constant(true) }, { requiredKeys: [] });
const level = fc.tuple(fc.constantFrom(0.41, 0.9999, 1e-7), fc.oneof(fc.integer({ min: 0, max: 9 }), fc.double()));
/** Mostly levels alone, as venues change them. */
const depth = fc.array(
  fc.record(
    {
      key: fc.constantFrom('h2h', 'spreads', 'player_points'),
      scope: fc.constantFrom('match', 'match', 'match', '1H'),
      alternate: fc.constantFrom(false, false, false, true),
      outcomes: fc.array(
        fc.record(
          {
            outcome: fc.constantFrom('home', 'away', 'over', 'nobody'),
            point: fc.constantFrom(2.5, -0),
            gone: fc.constant(true),
            bids: fc.array(level, { maxLength: 3 }),
            asks: fc.array(level, { maxLength: 3 }),
            last: fc.double(),
          },
          { requiredKeys: ['outcome'] },
        ),
        { maxLength: 3 },
      ),
      fee: fc.record({ model: fc.constant('notional'), rate: fc.double() }),
    },
    { requiredKeys: ['key', 'scope', 'alternate', 'outcomes'] },
  ),
  { maxLength: 2 },
);
const identity = { eventId: fc.constantFrom(7, 7, 7, 8), sport: fc.string(), league: fc.string(), origin };
const optional = { requiredKeys: ['at', 'source', 'content', 'eventId', 'sport', 'league'] } as const;
const changed = fc.record(
  {
    at,
    source: fc.string(),
    content: fc.record({ bookmaker: fc.string(), markets }),
    late,
    ...identity,
    depth,
  },
  { ...optional, requiredKeys: [...optional.requiredKeys] },
);
const reconfirmed = fc.record(
  { at, source: fc.string(), of: fc.nat(), bookmaker: fc.constantFrom('kalshi', ''), ...identity, depth },
  { requiredKeys: ['at', 'source', 'of', 'eventId'] },
);

const ladder = fc.array(
  fc.tuple(
    fc.integer({ min: 1, max: 9999 }).map((tick) => tick / 10_000),
    fc.oneof(
      fc.constant(0),
      fc.integer({ min: 1, max: 1e7 }).map((hundredths) => hundredths / 100),
    ),
  ),
  { minLength: 1, maxLength: 3 },
);
/** A market of a venue as connectors send it, with what has changed of its ladders. */
const venueMarket = fc
  .record({
    sides: fc.constantFrom(
      ...([
        ['h2h', ['home', 'away'], []],
        ['h2h', ['home', 'away', 'draw'], []],
        ['h2h', ['player_1', 'player_2'], []],
        ['h2h', ['away'], []],
        ['spreads', ['home', 'away'], [-3.5, 3.5]],
        ['spreads', ['away', 'home'], [3.5, -3.5]],
        ['totals', ['over', 'under'], [44.5, 44.5]],
        ['totals', ['under'], [44.5]],
        ['totals', ['over', 'under', 'over'], [190.5, 190.5, 205.5]],
        ['spreads', ['home', 'home', 'away'], [-3.5, -4.5, 3.5]],
      ] as const),
    ),
    alternate: fc.boolean(),
    ladders: fc.array(fc.record({ bids: ladder, asks: ladder }, { requiredKeys: [] }), { minLength: 3, maxLength: 3 }),
    prices: fc.array(fc.oneof(fc.integer({ min: 100, max: 9900 }), fc.integer({ min: -9900, max: -100 })), {
      minLength: 3,
      maxLength: 3,
    }),
  })
  .map(({ sides: [key, names, points], alternate, ladders, prices }) => {
    const market = { key, scope: 'match', alternate };
    const bet = (index: number) => ({
      ...{ outcome: names[index] },
      ...(points[index] === undefined ? {} : { point: points[index] }),
    });
    const outcomes = names.map((outcome, index) => {
      const point = points[index];
      return { outcome, price: prices[index]!, ...(point === undefined ? {} : { point }) };
    });
    const changed = names.map((_, index) => ({ ...bet(index), ...ladders[index] }));
    return {
      prices: { ...market, complete: true, outcomes },
      depth: [{ ...market, outcomes: changed.filter((one) => 'bids' in one || 'asks' in one) }],
    };
  });
const venueHead = fc.record({
  at,
  venue: fc.constantFrom('kalshi', 'polymarket', 'betfair', 'a new one'),
  of: fc.nat(),
  place: fc.constantFrom(
    { sport: 'nfl', league: 'nfl' },
    { sport: 'tennis', league: 'wta' },
    { sport: 'soccer', league: 'efl' },
  ),
  ref: fc.string(),
});
const venueChanged = fc
  .tuple(venueHead, venueMarket)
  .map(([{ at: when, venue, place, ref }, { prices, depth: changes }]) => ({
    ...{ at: when, source: venue, content: { bookmaker: venue, markets: [prices] } },
    ...{ eventId: 7, ...place, origin: { ref }, depth: changes },
  }));
const venueAgain = fc
  .tuple(venueHead, venueMarket)
  .map(([{ at: when, venue, of, place, ref }, { depth: changes }]) => ({
    ...{ at: when, source: venue, of, bookmaker: venue },
    ...{ eventId: 7, ...place, origin: { ref }, depth: changes },
  }));

/** The same with one change: one member more or fewer, one of another type, or another order. */
const spoiled = (value: fc.Arbitrary<object>) =>
  fc.tuple(value, fc.infiniteStream(fc.nat()), fc.jsonValue()).map(([whole, choices, other]) => {
    const copy = structuredClone(whole) as any;
    const pick = (limit: number) => (choices.next().value as number) % limit;
    let place = copy;
    for (let depth = pick(6); depth > 0; depth--) {
      const inner = Object.values(place).filter((one) => typeof one === 'object' && one !== null);
      if (inner.length === 0) break;
      place = inner[pick(inner.length)];
    }
    const names = Object.keys(place);
    const name = names[pick(names.length || 1)];
    const how = pick(4);
    if (Array.isArray(place)) place.push(other);
    else if (how === 0 || name === undefined) place[['more', 'outcome', 'length', 'toJson'][pick(4)]!] = other;
    else if (how === 1) delete place[name];
    else if (how === 2) place[name] = other;
    else {
      const moved = place[name];
      delete place[name];
      place[name] = moved;
    }
    return copy;
  });

describe('the compact form of a record', () => {
  it.each([
    ['PricesChanged', changed],
    ['PricesChanged', venueChanged],
    ['PricesReconfirmed', reconfirmed],
    ['PricesReconfirmed', venueAgain],
  ])('%s comes back as JSON would bring it back, its members in their order', (type, data) => {
    fc.assert(
      fc.property(fc.oneof(data, spoiled(data), fc.jsonValue()), (one) =>
        expectExact('odds-7', { type, version: 1, data: one, meta: META }),
      ),
      { numRuns: 2000 },
    );
  });

  it('a meta that does not follow from the stream comes back whole', () => {
    const data = { at: '2026-09-03T00:00:00Z' };
    for (const stream of ['odds-7', 'odds-7-7', 'odds-', 'odds', 'account-7', 'calls-7', 'unknown-7']) {
      for (const meta of [
        META,
        { partition: 'event-7', id: 'a.1' },
        { partition: 'account-7' },
        { partition: '' },
        {},
      ]) {
        for (const version of [1, 999, 1000, 2001, 9_007_199_254_740_991]) {
          for (const type of ['PricesChanged', 'Other']) {
            expectExact(stream, { type, version, data, meta: meta as typeof META });
          }
        }
      }
    }
  });

  it('every old record is read as it was written', () => {
    const folder = new URL('../../domain/golden/', import.meta.url);
    const files = readdirSync(folder).filter((file) => file.endsWith('.golden.json'));
    expect(files.length).toBeGreaterThan(30);
    for (const file of files) {
      const record = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as LogRecord;
      expectExact(record.stream, record);
      const whole = decodeContent({ ...record, ...encodeAsJson(record) });
      expect(JSON.stringify(whole)).toBe(
        JSON.stringify({ version: record.version, data: record.data, meta: record.meta }),
      );
      // Each of them leaves out its partition: it follows from the definition of the stream. Of a
      // receipt it does not follow from the stream, and what staff do has one stream, without an id.
      const plain =
        Object.keys(record.meta).length === 1 &&
        !/^(SlipGraded|StaffActed|ClosingRecorded|DaySealed|Experiment.*|ReferenceWeightsLearnt)$/.test(record.type);
      expect(encodeCompact(record.stream, record).meta === '0', file).toBe(plain);
    }
  });

  it('a tick of three markets takes less than 220 characters', () => {
    const two = (first: string, second: string, point?: number) => ({
      scope: 'match',
      alternate: false,
      complete: true,
      outcomes: [
        { outcome: first, price: -110, ...(point === undefined ? {} : { point }) },
        { outcome: second, price: -110, ...(point === undefined ? {} : { point: 0 - point }) },
      ],
    });
    const data = {
      at: '2026-09-03T00:00:00Z',
      source: 'load',
      content: {
        bookmaker: 'draftkings',
        markets: [
          { key: 'h2h', ...two('home', 'away') },
          { key: 'spreads', ...two('home', 'away', -4.5) },
          { key: 'totals', ...two('over', 'under', 210.5) },
        ],
      },
      eventId: 7,
      sport: 'basketball',
      league: 'nba',
      origin: { ref: 'nba:2026-09-03:7' },
    };
    const record = { type: 'PricesChanged', version: 1, data, meta: META };
    expect(JSON.stringify(data).length).toBeGreaterThan(550);
    expect(encodeCompact('odds-7', record).data.length).toBeLessThan(220);
  });
});

it.each([
  [
    [
      ['over', 190.5, -4900],
      ['under', 190.5, 2400],
      ['over', 205.5, -2400],
      ['under', 205.5, 1567],
    ],
  ],
  [
    [
      ['over', 190.5, 110],
      ['over', 205.5, 1900],
    ],
  ],
])('alternate lines of which an outcome has several, as %j, are recorded', (lines) => {
  const bets = lines.map(([outcome, point, price]) => ({ outcome, price, point }));
  const market = { key: 'totals', scope: 'match', alternate: true };
  const outcomes = bets.map(({ outcome, point }) => ({ outcome, point, asks: [[0.97, 12.5]] }));
  expectExact('odds-7', {
    ...{ type: 'PricesChanged', version: 1, meta: META },
    data: {
      ...{ at: '2026-09-03T00:00:00Z', source: 'kalshi' },
      content: { bookmaker: 'kalshi', markets: [{ ...market, complete: true, outcomes: bets }] },
      ...{ eventId: 7, sport: 'nba', league: 'nba', origin: { ref: 'r' } },
      depth: [{ ...market, outcomes }],
    },
  });
});

it.each([
  ['a price beside 1', [[0.99999, 10]]],
  ['an object for a price', [[{ toString: 1, valueOf: 1 }, 10]]],
  ['a hundred thousand levels', Array.from({ length: 100_000 }, () => [0.5, 1])],
])('a ladder with %s is recorded', (_, asks) => {
  const data = {
    ...{ at: '2026-09-03T00:00:00Z', source: 'kalshi', of: 1, bookmaker: 'kalshi' },
    ...{ eventId: 7, sport: 'nba', league: 'nba', origin: { ref: 'r' } },
    depth: [{ key: 'h2h', scope: 'match', alternate: false, outcomes: [{ outcome: 'player_2', asks }] }],
  };
  expectExact('odds-7', { type: 'PricesReconfirmed', version: 1, data, meta: META });
});

describe('a change of a ladder', () => {
  const META_OF_EVENT = { partition: 'event-40012' };
  /** Beside its content a row takes 44 bytes, and it may take 120 (`test/system/load/ladder-disk.long.test.ts`). */
  const MOST = 76;
  const record = (key: string, outcomes: readonly { outcome: string; price: number; point?: number }[]) => {
    const market = { key, scope: 'match', alternate: false };
    const { price: _, ...bet } = outcomes[0]!;
    const asks = [
      [0.52, 0],
      [0.53, 1234.56],
    ];
    const head = { at: '2026-11-30T18:00:05.500Z', source: 'kalshi' };
    const identity = { eventId: 40_012, sport: 'nfl', league: 'nfl', origin: { ref: 'KXNFL-26NOV30DALNYG' } };
    return {
      changed: {
        ...head,
        content: { bookmaker: 'kalshi', markets: [{ ...market, complete: true, outcomes }] },
        ...identity,
        depth: [{ ...market, outcomes: [{ ...bet, asks }] }],
      },
      again: {
        ...{ ...head, of: 1234, bookmaker: 'kalshi', ...identity },
        depth: [{ ...market, outcomes: [{ ...bet, asks: asks.slice(1) }] }],
      },
    };
  };
  it.each([
    ['of one contract', 'h2h', [{ outcome: 'home', price: -110 }]],
    [
      'of two sides',
      'h2h',
      [
        { outcome: 'home', price: -110 },
        { outcome: 'away', price: 104 },
      ],
    ],
    [
      'of three',
      'h2h',
      [
        { outcome: 'home', price: -110 },
        { outcome: 'away', price: 250 },
        { outcome: 'draw', price: 310 },
      ],
    ],
    [
      'of a spread',
      'spreads',
      [
        { outcome: 'home', price: -110, point: -13.5 },
        { outcome: 'away', price: 104, point: 13.5 },
      ],
    ],
    [
      'of a total',
      'totals',
      [
        { outcome: 'over', price: -110, point: 44.5 },
        { outcome: 'under', price: 104, point: 44.5 },
      ],
    ],
  ])('%s is a row of at most 120 bytes, whether its best price changes or not', (_, key, outcomes) => {
    const { changed: moved, again: same } = record(key, outcomes);
    const encoded = (type: string, data: object) =>
      encodeCompact('odds-40012', { type, version: 1, data, meta: META_OF_EVENT }).data;
    expect(encoded('PricesChanged', moved).length).toBeLessThanOrEqual(MOST);
    expect(encoded('PricesReconfirmed', same).length).toBeLessThanOrEqual(MOST);
  });
});

it('prices without decimals take no more than in the former form, and that form is still read', () => {
  const priced = (more: object) => ({
    at: '2026-09-03T00:00:00Z',
    source: 'feed',
    content: {
      bookmaker: 'book',
      markets: [
        {
          key: 'totals',
          scope: 'match',
          alternate: false,
          complete: true,
          outcomes: [{ outcome: 'over', price: -5263, point: 2.5, ...more }],
        },
      ],
    },
    eventId: 7,
    sport: 'soccer',
    league: 'epl',
    origin: { ref: 'r' },
  });
  const encoded = (more: object) =>
    encodeCompact('odds-7', { type: 'PricesChanged', version: 1, data: priced(more), meta: META });
  const before = writtenBefore(priced({}));
  expect(encoded({}).data).toBe(before);
  expect(encoded({ decimal: 1.019 }).data.length - before.length).toBeLessThan(10);
  const read = decodeContent({ stream: 'odds-7', type: 'PricesChanged', ...encoded({}), version: 2001, data: before });
  expect(read.data).toEqual(priced({}));
});

it('what prices make of suspect ones comes back as it was written', () => {
  const outcomes = [{ outcome: 'home', price: 150 }];
  const data = {
    at: '2026-09-03T00:00:00Z',
    source: 'feed',
    content: {
      bookmaker: 'book',
      markets: [{ key: 'h2h', scope: 'match', alternate: false, complete: true, outcomes }],
    },
    eventId: 7,
    sport: 'nfl',
    league: 'nfl',
    suspect: {
      held: { 'h2h|home': [-110, null], 'h2h|away': null },
      released: [{ bookmaker: 'other', market: 'h2h', outcome: 'home', from: null, to: [150, null] }],
    },
  };
  const encoded = encodeCompact('odds-7', { type: 'PricesChanged', version: 1, data, meta: META });
  expect(decodeContent({ stream: 'odds-7', type: 'PricesChanged', ...encoded }).data).toEqual(data);
});

/** As the second form writes the record. */
function writtenBefore(data: object): string {
  const row = { values: [] as unknown[], id: 7 };
  expect(pricesChanged.encode(data, row)).toBe(true);
  return JSON.stringify(row.values);
}

describe('a log with records of both kinds', () => {
  const folder = temporaryFolder();
  const tick = (n: number) => ({
    type: 'PricesChanged',
    version: 1,
    data: {
      at: '2026-09-03T00:00:00Z',
      source: 's',
      content: { bookmaker: 'b', markets: [] },
      eventId: 7,
      sport: 'nfl',
      league: 'nfl',
      origin: { ref: `r${n}` },
    },
    meta: META,
  });
  const insert = (file: string, position: number, { type, version, data, meta }: Record<string, unknown>) => {
    const database = openSqliteDatabase({ file });
    database.exec("INSERT OR IGNORE INTO streams (name) VALUES ('odds-7')");
    database
      .prepare(
        'INSERT INTO records (position, stream_id, revision, type, version, data, meta, recorded_at) VALUES (?, 1, ?, ?, ?, ?, ?, ?)',
      )
      .run([position, position - 1, type, version, data, meta, 1000]);
    database.close();
  };

  it('an old folder opens, is read as it was, and accepts appends', async () => {
    const file = folder.path('before.db');
    await openSqliteLog({ file }).close();
    for (const n of [0, 1]) {
      insert(file, n + 1, { ...tick(n), data: JSON.stringify(tick(n).data), meta: JSON.stringify(META) });
    }
    const log = openSqliteLog({ file });
    const told: LogRecord[] = [];
    log.onCommitted((records) => told.push(...records));
    await log.append('odds-7', [tick(2)], 1);
    const records = await log.readStream('odds-7');
    expect(records.map(({ type, version, data, meta }) => JSON.stringify({ type, version, data, meta }))).toEqual(
      [0, 1, 2].map((n) => JSON.stringify(tick(n))),
    );
    expect(told).toEqual(records.slice(2));
    await log.close();
  });

  it('a form of a newer server stops the reader with a clear message', async () => {
    const file = folder.path('newer.db');
    const log = openSqliteLog({ file });
    insert(file, 1, { ...tick(0), version: 9001, data: '[]', meta: '0' });
    await expect(log.readAll(null, 10)).rejects.toThrow(UnknownEventVersion);
    await expect(log.readAll(null, 10)).rejects.toThrow('Record 1 of stream odds-7 is PricesChanged version 9001');
    await log.close();
  });
});

it('a changed level of an order book takes at most 76 bytes', () => {
  const data = {
    at: '2026-11-30T20:00:00.123Z',
    source: 'kalshi',
    of: 57,
    bookmaker: 'kalshi',
    eventId: 7,
    sport: 'nba',
    league: 'nba',
    origin: { ref: 'KXNBAGAME-26NOV30LALGSW' },
    depth: [{ key: 'h2h', scope: 'match', alternate: false, outcomes: [{ outcome: 'home', asks: [[0.47, 512.33]] }] }],
  };
  const record = { type: 'PricesReconfirmed', version: 1, data, meta: META };
  expectExact('odds-7', record);
  // With the columns beside it, a row of the log then takes less than 120.
  expect(encodeCompact('odds-7', record).data.length).toBeLessThanOrEqual(76);
});
