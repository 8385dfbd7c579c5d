import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { players } from '../../projections/directory/players.ts';
import { ONE_PARTITION } from '../../src/domain/event-sourcing/partition-of.ts';
import { foldText } from '../../src/domain/primitives/name-normalization.ts';
import { openSqliteStore, type SqliteStore } from '../../src/read-models/store/sqlite/sqlite-store.ts';
import { searchText } from '../../src/read-models/store/sqlite/sqlite-text-search.ts';
import { longestBlocking, MAX_BLOCKING_MS } from '../support/longest-blocking.ts';

let store: SqliteStore;
beforeEach(async () => {
  store = openSqliteStore({ file: ':memory:' });
  await store.prepare(players, 'v1');
});
afterEach(() => store.close());

async function fill(count: number, aliases: (id: number) => string[]): Promise<void> {
  const writes = Array.from({ length: count }, (_, index) => {
    const id = 2 * index + 1;
    const facts = { full_name: `Player ${id}`, aliases: aliases(id) };
    const document = { id, sport: id % 3 === 0 ? 'nba' : 'nfl', facts, refs: [], called: [] };
    return { key: String(id), document: document as never, position: 1n };
  });
  const part = { projection: players.name, generation: 'v1', partition: ONE_PARTITION, expected: null };
  await store.commit([{ ...part, writes, checkpoint: 1n }]);
}

const idsOf = async (query: object) =>
  (await store.find<{ id: number }>(players.name, { limit: 100_000, ...query })).map(({ document }) => document.id);

describe('a search for a part of a name', () => {
  it('fault 17: of many players with long aliases holds up nobody', async () => {
    await fill(6000, (id) => Array.from({ length: 40 }, (_, index) => `An alias of some length ${id} ${index}`));
    const { result, longest } = await longestBlocking(() =>
      store.find(players.name, { contains: { field: 'search', text: foldText('zzN') }, limit: 51 }),
    );
    expect(result).toEqual([]);
    expect(longest).toBeLessThan(MAX_BLOCKING_MS);
  });

  it('finds what a look at every document finds, from every place on', async () => {
    const count = 1500;
    await fill(count, (id) => (id % 7 === 0 ? ['Seven'] : []));
    const ids = Array.from({ length: count }, (_, index) => 2 * index + 1);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('seven', '99', 'player 1', 'nobody', ''),
        fc.option(fc.nat({ max: 2 * count + 5 }), { nil: undefined }),
        fc.constantFrom(undefined, 'nba', ['nba', 'nfl'], 'nhl'),
        fc.constantFrom(1, 7, 100_000),
        async (text, after, sport, limit) => {
          const expected = ids
            .filter((id) => `player ${id}\n${id % 7 === 0 ? 'seven' : ''}`.includes(text))
            .filter((id) => after === undefined || id > after)
            .filter((id) => sport === undefined || [sport].flat().includes(id % 3 === 0 ? 'nba' : 'nfl'))
            .slice(0, limit);
          const found = await idsOf({
            contains: { field: 'search', text },
            limit,
            ...(sport === undefined ? {} : { where: { sport } }),
            ...(after === undefined ? {} : { after: { value: null, id: after } }),
          });
          expect(found).toEqual(expected);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('looks at fewer documents at once where these take long', async () => {
    let time = 0;
    const looked: number[] = [];
    await searchText(
      { contains: { field: 'search', text: 'x' }, limit: 1 },
      {
        find: (_, stretch) => {
          if (stretch === 'without') return [];
          looked.push(stretch.upTo - stretch.above);
          // A tenth of a millisecond each.
          time += (stretch.upTo - stretch.above) / 10;
          return [];
        },
        boundAfter: (above, count) => (above >= 4999 ? undefined : Math.min(4999, above + count)),
        now: () => time,
      },
    );
    expect(looked.reduce((a, b) => a + b)).toBe(5000);
    expect(looked.slice(1).every((count) => count <= 80)).toBe(true);
  });
});
