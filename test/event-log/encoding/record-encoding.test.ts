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
    ['PricesReconfirmed', reconfirmed],
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
