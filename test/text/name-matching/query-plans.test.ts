import { afterAll, beforeAll, expect, it } from 'vitest';
import { playerNamesIndex } from '../../../projections/directory/player-names.ts';
import { teamNamesIndex } from '../../../projections/directory/team-names.ts';
import { BOOTSTRAP_PRINCIPAL } from '../../../src/accounts/keys/authenticator.ts';
import { findPlayers } from '../../../src/api/operations/resolving/find-players.ts';
import { findTeams } from '../../../src/api/operations/resolving/find-teams.ts';
import type { Query } from '../../../src/read-models/store/read-store.ts';
import { openSqliteStore, type SqliteStore } from '../../../src/read-models/store/sqlite/sqlite-store.ts';

let store: SqliteStore;
beforeAll(async () => {
  store = openSqliteStore({ file: ':memory:' });
  await store.prepare(teamNamesIndex, 'v1');
  await store.prepare(playerNamesIndex, 'v1');
});
afterAll(() => store.close());

const sevenSports = { ...BOOTSTRAP_PRINCIPAL, scopes: ['nfl', 'nba', 'mlb', 'nhl', 'ncaaf', 'ncaab', 'soccer'] };
const long = 'Alexandros '.repeat(15);

/** The store queries for a name. */
async function questionsOf(find: (context: any) => Promise<unknown>): Promise<[projection: string, query: Query][]> {
  const asked: [string, Query][] = [];
  await find({
    principal: sevenSports,
    store: {
      getMany: () => Promise.resolve([]),
      find(projection: string, query: Query) {
        asked.push([projection, query]);
        return Promise.resolve([]);
      },
    },
  });
  return asked;
}

it.each<[string, (context: any) => Promise<unknown>]>([
  ['a team', (context) => findTeams(context, 'LA Galaxy FC')],
  ['a team of a league', (context) => findTeams(context, 'New York', { sport: 'nba', league: 'nba' })],
  ['a player', (context) => findPlayers(context, 'Ken Griffey Jr.')],
  ['a mistyped player', (context) => findPlayers(context, 'Alex Ovechkin', {}, { mode: 'permissive' })],
  ['a long name', (context) => findPlayers(context, long, {}, { mode: 'permissive' })],
  ['a player of teams', (context) => findPlayers(context, 'Al, Bert', {}, { mode: 'permissive', teamIds: [1, 2, 3] })],
])('%s is found by a few keys, whatever the size of the directory', async (_, find) => {
  const asked = await questionsOf(find);
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.length).toBeLessThanOrEqual(3);
  for (const [projection, query] of asked) {
    const plan = store.explain(projection, query).filter((step) => !step.startsWith('USE TEMP B-TREE'));
    const seeks = plan.filter((step) => /^SEARCH s USING (?:COVERING )?INDEX \S+ \(value=\?\)/.test(step));
    const documents = plan.filter((step) => /^SEARCH d USING INTEGER PRIMARY KEY/.test(step));
    // One per key, and per sport if several sports are granted.
    expect(seeks.length % (query.where!['keys'] as unknown[]).length).toBe(0);
    expect(seeks.length).toBeGreaterThan(0);
    expect(plan.length).toBe(seeks.length + documents.length);
  }
});
