import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SPORT_SLUGS } from '../../src/domain/catalogue/catalogue.ts';
import { MARKET_KEY } from '../../src/domain/feed/message-schemas.ts';
import {
  playerStatisticNames,
  STATISTICS,
  teamStatisticNames,
} from '../../src/domain/statistics/statistics-catalogue.ts';
import { statisticsSections } from './statistics-page.ts';

const PAGE = resolve(import.meta.dirname, '../../docs/statistics.md');
const ANEW = 'UPDATE_STATISTICS=1 npx vitest run --project unit test/support/statistics-page.test.ts';

describe.each(SPORT_SLUGS)('the statistics of %s', (sport) => {
  const { players, teams, sums, specialRules, averaged } = STATISTICS[sport];

  it('have names that a market can have, each in one group', () => {
    const listed = [players, teams].map((groups) => groups.flatMap(({ names }) => names));
    for (const names of listed) {
      expect(names.length).toBeGreaterThan(0);
      expect(new Set(names).size).toBe(names.length);
      expect(names.filter((name) => !MARKET_KEY.test(name))).toEqual([]);
    }
  });

  it('are combined of statistics that a player has, none of them combined itself', () => {
    const known = playerStatisticNames(sport);
    const combined = [...Object.keys(sums), ...Object.keys(specialRules)];
    const parts = Object.values(sums).flatMap((sum) => Object.keys(sum));

    expect([...combined, ...parts].filter((name) => !known.includes(name))).toEqual([]);
    expect(parts.filter((name) => combined.includes(name))).toEqual([]);
  });

  it('are rated where a side has them, each once', () => {
    const { fromScore, bothSides, ownSideOnly } = averaged;
    const fromBox = [...bothSides, ...ownSideOnly];

    expect(fromBox.filter((name) => !teamStatisticNames(sport).includes(name))).toEqual([]);
    expect(new Set([...fromScore, ...fromBox]).size).toBe(fromScore.length + fromBox.length);
  });
});

describe('docs/statistics.md', () => {
  it('lists them all', () => {
    const text = readFileSync(PAGE, 'utf8');
    const page = text.replace(
      /(<!-- statistics -->\n)[\s\S]*?(<!-- end of statistics -->)/,
      (_, begin, end) => `${begin}\n${statisticsSections()}\n\n${end}`,
    );
    if (process.env['UPDATE_STATISTICS']) writeFileSync(PAGE, page);
    else expect(text, `docs/statistics.md is out of date; write it anew with ${ANEW}`).toBe(page);

    expect(page).toContain('`hits` + `doubles` + 2 x `triples` + 3 x `home_runs`');
    expect(page).toContain('`total_tackles` - `solo_tackles`');
  });
});
