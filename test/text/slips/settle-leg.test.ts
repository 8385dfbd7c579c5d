import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SpecServer, startServer } from '../../api/spec/server.ts';
import { gradeAll, rowsOf, type Situation, shownResult, stageSituation } from './settlement-cases.ts';
import { americanFootball } from './tables/american-football.ts';
import { baseball } from './tables/baseball.ts';
import { basketball } from './tables/basketball.ts';
import { iceHockey } from './tables/ice-hockey.ts';
import { parts } from './tables/parts.ts';
import { soccer } from './tables/soccer.ts';
import { tennis } from './tables/tennis.ts';

let server: SpecServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const TABLES: Readonly<Record<string, readonly Situation[]>> = {
  americanFootball,
  basketball,
  baseball,
  iceHockey,
  soccer,
  tennis,
  parts,
};

describe.each(Object.entries(TABLES))('%s', (_, situations) => {
  it.each(situations.map((one) => [one.title, one] as const))('%s', async (_, situation) => {
    const { rows, legs } = await stageSituation(server, situation);
    const graded = await gradeAll(server, legs);
    const shown = rows.map((row, index) => ({
      ...row,
      result: shownResult(graded[index]),
      current: graded[index].current,
    }));
    expect(shown).toEqual(rows);
    for (const { result, message, market, facts } of graded) {
      const isSettled = result !== null && result !== 'in_progress' && result !== 'no_stat';
      expect(market.settleable).toBe(isSettled);
      expect(message === null).toBe(isSettled && result !== 'void' && result !== 'dnp');
      expect(facts.length > 0).toBe(result !== null);
    }
  });
});

it('has at least 400 legs', () => {
  const all = Object.values(TABLES).flat().flatMap(rowsOf);
  expect(all.length).toBeGreaterThanOrEqual(400);
  console.info(`${all.length} legs settled by hand`);
});
