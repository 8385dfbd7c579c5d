import { expect, it } from 'vitest';
import { MarketRecord } from '../../../src/intelligence/evaluation/market-record.ts';
import { recordTable } from '../../../src/server/cli/backtest.ts';

it('the table has a row for each market with a judged game, and nothing is made up of too few', () => {
  const record = new MarketRecord();
  const game = { market: 'h2h' as const, line: null, probabilities: [0.6, 0.4], close: [0.5, 0.5], outcome: 0 };
  for (let i = 0; i < 30; i++) record.add(`2026-01-${10 + i}`, { ...game, outcome: i % 2 });
  const few = new MarketRecord();
  few.add('2026-02-01', { ...game, market: 'totals' });
  const lines = [
    record.line('nfl', 'h2h', 'nfl-1.0'),
    new MarketRecord().line('nfl', 'spreads', 'nfl-1.0'),
    few.line('nfl', 'totals', 'nfl-1.0'),
  ];
  const [headings, ...rows] = recordTable(lines).map((row) => row.trim().split(/ {2,}/));
  const byHeading = rows.map((row) => Object.fromEntries(headings!.map((heading, i) => [heading, row[i]])));
  expect(byHeading).toMatchObject([
    { MODEL: 'nfl-1.0', MARKET: 'h2h', N: '30', 'LOG LOSS': '0.7136', CLOSE: '0.6931', DIFFERENCE: '0.0204' },
    { MARKET: 'totals', N: '1', 'LOG LOSS': '-', DIFFERENCE: '-', PUBLISHED: 'no' },
  ]);
});
