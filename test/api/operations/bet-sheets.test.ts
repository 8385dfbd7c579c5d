import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BetServer, serveBets } from './bets-server.ts';

/** Bets in sheets as people keep them: which forms are read, and which are refused with a reason. */

let server: BetServer;
beforeAll(async () => {
  server = await serveBets();
});
afterAll(() => server.close());

const list = async () => (await server.get('/v1/bets')).bets;
beforeEach(async () => {
  for (const { id } of await list()) await server.ask(`/v1/bets/${id}`, { method: 'DELETE' });
});

const send = (body: string) =>
  server.ask('/v1/bets', { method: 'POST', headers: { 'content-type': 'text/csv' }, body });

/** A sheet of bets on the game; each row has other cells for these columns. */
const sheetOf = (columns: string, rows: readonly string[], separator = ',') => {
  const lines = [columns, ...rows].map((line, index) =>
    index === 0
      ? [line, 'clues_event_id', 'Pick', 'Book'].join(separator)
      : [line, server.event, 'Chiefs ML', 'FanDuel'].join(separator),
  );
  return lines.join('\n');
};
/** The bets of a sheet that is taken, oldest first. */
const taken = async (sheet: string) => {
  const { status, body } = await send(sheet);
  expect([status, body.error]).toEqual([201, undefined]);
  return (await list()).reverse();
};
/** The first error of a sheet that is refused. */
const refusal = async (sheet: string) => {
  const { status, body } = await send(sheet);
  expect([status, await list()]).toEqual([422, []]);
  const { loc, msg } = body.error.errors[0];
  return [loc.slice(2).join('.'), msg];
};

describe('odds of a sheet', () => {
  const oddsOf = async (column: string, ...cells: string[]) =>
    (
      await taken(
        sheetOf(
          `Date,Stake,${column}`,
          cells.map((cell) => `2026-03-01,1,${cell}`),
        ),
      )
    ).map(({ price, decimal }: any) => decimal ?? price);
  const wrongOdds = (column: string, ...cells: string[]) =>
    refusal(
      sheetOf(
        `Date,Stake,${column}`,
        cells.map((cell) => `2026-03-01,1,${cell}`),
      ),
    );

  it('given a column of decimal odds, then they are decimal, however large', async () => {
    for (const column of ['Decimal Odds', 'decimal_odds', 'Odds (Decimal)', 'decimal']) {
      expect((await oddsOf(column, '151', '1.95', '50')).slice(-3)).toEqual([151, 1.95, 50]);
    }
    expect((await list())[2].price).toBe(15_000);
  });

  it.each(['-110', '+150', '1', '0.5', 'x'])('given decimal odds of %s, then they are refused', async (cell) => {
    expect(await wrongOdds('Decimal Odds', '1.95', cell)).toEqual([
      '1.price',
      'must be decimal odds: a number of more than 1, without a sign',
    ]);
  });

  it('given a column of American odds, then they are American, with or without a sign', async () => {
    expect(await oddsOf('American Odds', '150', '+120', '-110', '−105', 'EVEN')).toEqual([150, 120, -110, -105, 100]);
  });

  it.each([
    ['50', 'must be American odds: at least +100, or at most -100'],
    ['-99', 'must be American odds: at least +100, or at most -100'],
    ['1.91', 'must be an integer: American odds'],
    ['x', 'must be American odds, such as -110 or +150'],
  ])('given American odds of %s, then they are refused', async (cell, why) => {
    expect(await wrongOdds('American Odds', '-110', cell)).toEqual(['1.price', why]);
  });

  it.each([
    ['a sign', ['-110', '150'], [-110, 150]],
    ['a fraction', ['1.95', '151'], [1.95, 151]],
    ['nothing else, as prices of the API', ['150'], [150]],
    ['numbers alone that no column of decimal odds would have', ['101', '200'], [101, 200]],
    ['each its own form', ['1.95', '-110', '+150', 'even'], [1.95, -110, 150, 100]],
  ])('given a column without its form that has %s, then the column is read by it', async (_, cells, odds) => {
    for (const column of ['Odds', 'Price']) expect((await oddsOf(column, ...cells)).slice(-odds.length)).toEqual(odds);
  });

  it.each([[['150', '1.95', '-110']]])(
    'given a column without its form of %s, then 100 and more without a sign are refused',
    async (cells) => {
      for (const column of ['Odds', 'Price']) {
        expect(await wrongOdds(column, ...cells)).toEqual([
          '0.price',
          `may be American or decimal odds: write +${cells[0]}, or call the column american_odds or decimal_odds`,
        ]);
      }
    },
  );

  it.each(['5/2', 'x', '0.9', '1'])('given odds of %s, then they are refused', async (cell) => {
    expect((await wrongOdds('Odds', cell))[0]).toBe('0.price');
  });

  it('given a comma that may part thousands or decimals, then it is refused where the form does not tell', async () => {
    expect(await oddsOf('Odds', '"1,95"', '"+1,950"')).toEqual([1.95, 1950]);
    for (const { id } of await list()) await server.ask(`/v1/bets/${id}`, { method: 'DELETE' });
    expect(await wrongOdds('Odds', '1.95', '"1,950"')).toEqual([
      '1.price',
      'may be 1.950 or 1950: write it without a comma',
    ]);
  });

  it('given odds in both forms, then they are one price, or refused', async () => {
    const rows = ['-105,1.95', '-150,1.67', '+120,', ',2.5'].map((odds) => `2026-03-01,1,${odds}`);
    const told = await taken(sheetOf('Date,Stake,American Odds,Decimal Odds', rows));
    expect(told.map(({ price, decimal }: any) => [price, decimal])).toEqual([
      [-105, 1.95],
      [-150, null],
      [120, null],
      [150, 2.5],
    ]);
    for (const { id } of await list()) await server.ask(`/v1/bets/${id}`, { method: 'DELETE' });
    for (const column of ['American Odds', 'Odds']) {
      expect(await refusal(sheetOf(`Date,Stake,${column},Decimal Odds`, ['2026-03-01,1,-110,2.5']))).toEqual([
        '0.price',
        'must be one price: -110 in American odds is not 2.5 in decimal ones',
      ]);
    }
  });

  it('given the CSV of the server itself, then its prices come back as they were', async () => {
    await server.add(server.bet({ price: 120 }), server.bet({ price: -105, decimal: 1.95 }));
    const headers = { authorization: `Bearer ${server.key}` };
    const own = await (await fetch(`${server.url}/v1/bets?format=csv`, { headers })).text();
    expect((await send(own)).status).toBe(201);
    const told = (await list()).map(({ price, decimal, placed_at }: any) => [price, decimal, placed_at]);
    expect(told.slice(0, 2).reverse()).toEqual(told.slice(2));
  });
});

describe('columns beside a bet in words', () => {
  it('given a market, a side, a point or a line, then the words alone say what the bet is', async () => {
    const sheet = sheetOf('Date,Market,Side,Point,Line,Stake,Odds', ['2026-03-01,Spread,Chiefs,-3,n/a,1,-110']);
    expect(await taken(sheet)).toMatchObject([{ market_key: 'h2h', side: 'home', line: null }]);
  });

  it('given an event, then it is a clue', async () => {
    const sheet = `event_id,selection,price,stake,book,date\n${server.event},over 46.5,-110,1,x,2026-03-01`;
    expect(await taken(sheet)).toMatchObject([{ event_id: server.event, market_key: 'totals', line: 46.5 }]);
  });

  it('given a part of the game, then it is refused: the words would be another bet', async () => {
    expect(await refusal(sheetOf('Date,Scope,Stake,Odds', ['2026-03-01,1H,1,-110']))).toEqual([
      '0.scope',
      'must not be given beside a text',
    ]);
  });

  it('given no words, then market and point are those of the bet, in any case', async () => {
    const sheet = `event_id,Market,Side,Point,Price,Stake,Book,Date\n${server.event},Spread,HOME,-3.5,-110,1,x,2026-03-01`;
    expect(await taken(sheet)).toMatchObject([{ market_key: 'spreads', side: 'home', line: -3.5 }]);
  });
});

describe('days of a sheet', () => {
  const timesOf = async (columns: string, ...rows: string[]) =>
    (
      await taken(
        sheetOf(
          `${columns},Stake,Odds`,
          rows.map((row) => `${row},1,-110`),
        ),
      )
    ).map(({ placed_at }: any) => placed_at);

  it.each([
    ['2026-02-28', '2026-02-28T00:00:00Z'],
    ['2026/2/8', '2026-02-08T00:00:00Z'],
    ['2026-02-28 9:05', '2026-02-28T09:05:00Z'],
    ['2026-02-28T09:05:30', '2026-02-28T09:05:30Z'],
    ['2/28/2026', '2026-02-28T00:00:00Z'],
    ['28/2/2026', '2026-02-28T00:00:00Z'],
    ['2/2/2026', '2026-02-02T00:00:00Z'],
    ['08.02.2026', '2026-02-08T00:00:00Z'],
    ['2/28/2026 9:05 PM', '2026-02-28T21:05:00Z'],
    ['2/28/2026 12:05 am', '2026-02-28T00:05:00Z'],
  ])('given %s, then it is %s', async (cell, time) => {
    expect(await timesOf('Date', cell)).toEqual([time]);
  });

  it('given a day that shows the order, then the others of its column have it too', async () => {
    expect(await timesOf('Date', '1/2/2026', '1/31/2026')).toEqual(['2026-01-02T00:00:00Z', '2026-01-31T00:00:00Z']);
    expect((await timesOf('Date', '1/2/2026', '31/1/2026')).slice(2)).toEqual([
      '2026-02-01T00:00:00Z',
      '2026-01-31T00:00:00Z',
    ]);
  });

  it('given the order in the name of the column, then it is so', async () => {
    expect(await timesOf('Date (MM/DD/YYYY)', '1/2/2026')).toEqual(['2026-01-02T00:00:00Z']);
    expect((await timesOf('Date (dd/mm/yyyy)', '1/2/2026')).slice(1)).toEqual(['2026-02-01T00:00:00Z']);
  });

  it.each([
    ['Date', ['1/2/2026']],
    ['Date', ['1/2/2026', '1/31/2026', '31/1/2026']],
  ])('given %s of either month, then it is refused', async (column, days) => {
    const sheet = sheetOf(
      `${column},Stake,Odds`,
      days.map((day) => `${day},1,-110`),
    );
    expect(await refusal(sheet)).toEqual([
      '0.placed_at',
      'may be of either month: write it as 2026-12-31, or call the column date (mm/dd/yyyy) or date (dd/mm/yyyy)',
    ]);
  });

  it.each([
    ['Date', 'yesterday'],
    ['Date', '2026-02-30'],
    ['Date', '13/13/2026'],
    ['Date', '2026-02-28 25:00'],
    ['Date', '2026-02-28 13:00 PM'],
    ['Date (MM/DD/YYYY)', '31/1/2026'],
  ])('given a %s of %s, then it is refused with the form that is read', async (column, day) => {
    expect(await refusal(sheetOf(`${column},Stake,Odds`, [`${day},1,-110`]))).toEqual([
      '0.placed_at',
      'must be a day, such as 2026-03-01, perhaps with its time in UTC, such as 11:00',
    ]);
  });

  it('given a time in a column of its own, then it is that of the day', async () => {
    expect(await timesOf('Date,Time', '2026-02-28,11:30', '2/27/2026,7:05 PM', '2026-02-26 00:00:00,09:00')).toEqual([
      '2026-02-28T11:30:00Z',
      '2026-02-27T19:05:00Z',
      '2026-02-26T09:00:00Z',
    ]);
  });

  it('given a time in a column of its own that is none, then it is refused', async () => {
    expect(await refusal(sheetOf('Date,Time,Stake,Odds', ['2026-02-28,7:05 ET,1,-110']))).toEqual([
      '0.placed_at',
      'must have a time in UTC, such as 11:00; “7:05 ET” is none',
    ]);
  });

  it('given a column of days in another zone, then they are not taken for UTC', async () => {
    expect(await refusal(sheetOf('Date (ET),Stake,Odds', ['2026-02-28 11:00,1,-110']))).toEqual([
      '0.placed_at',
      'is required',
    ]);
  });

  it('given the whole moment in a column called time, then it is read', async () => {
    expect(await timesOf('Time', '2026-02-28 11:00')).toEqual(['2026-02-28T11:00:00Z']);
  });
});

describe('stakes of a sheet', () => {
  const rowsOf = (cells: readonly string[]) =>
    sheetOf(
      'Date,Odds,Stake',
      cells.map((cell) => `2026-03-01,-110,${cell}`),
    );
  it.each([[['1u', '2 units', '0.5U', '3']], [['10 USD', '$2', '0.5usd', '3']], [['€1', '2 EUR', '0.5€', '3']]])(
    'given %s, then the numbers are read',
    async (cells) => {
      expect((await taken(rowsOf(cells))).map(({ stake }: any) => stake)).toEqual([
        cells[0]!.startsWith('10') ? 10 : 1,
        2,
        0.5,
        3,
      ]);
    },
  );

  it('given another unit than that of the rows before, then it is refused', async () => {
    expect(await refusal(rowsOf(['1u', '5', '$10']))).toEqual([
      '2.stake',
      'must be in the unit of the rows before: usd is not u',
    ]);
  });

  it.each(['much', '1 of 2', '10 of USD', '1-2'])('given a stake of %s, then it is refused', async (cell) => {
    expect(await refusal(rowsOf([cell]))).toEqual([
      '0.stake',
      'must be a number, perhaps with its unit: 10, $10, 10 USD or 1u',
    ]);
  });
});

describe('separators', () => {
  it.each([';', '\t'])('given %j between cells, then the sheet is read', async (separator) => {
    const row = ['2026-03-01', '"10,50"', '1,95'].join(separator);
    expect(await taken(sheetOf(['Date', 'Stake', 'Odds'].join(separator), [row], separator))).toMatchObject([
      { stake: 10.5, decimal: 1.95, book: 'FanDuel' },
    ]);
  });

  it('given semicolons, then a comma is that of a decimal, and a stake that may be a thousand is refused', async () => {
    const rows = ['2026-03-01;1.000,50;1,950'];
    expect(await taken(sheetOf('Date;Stake;Odds', rows, ';'))).toMatchObject([{ stake: 1000.5, decimal: 1.95 }]);
    for (const { id } of await list()) await server.ask(`/v1/bets/${id}`, { method: 'DELETE' });
    expect(await refusal(sheetOf('Date;Stake;Odds', ['2026-03-01;1.000;1,95'], ';'))).toEqual([
      '0.stake',
      'may be a thousand or a fraction: write it without a point or comma between thousands',
    ]);
  });
});

it('given rows that are wrong in several ways, then the first is told, also where a cell could not be read', async () => {
  const header = 'Date,Sport,Pick,Odds,Stake,Book';
  const nobody = '2026-03-01,nfl,Nobodies ML,-110,1,x';
  const unread = '2026-03-01,nfl,Chiefs ML,x,1,x';
  expect((await refusal([header, nobody, unread].join('\n')))[0]).toBe('0.text');
  expect((await refusal([header, unread, nobody].join('\n')))[0]).toBe('0.price');
});
