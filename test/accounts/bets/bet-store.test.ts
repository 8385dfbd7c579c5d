import type { Kysely } from 'kysely';
import { expect, it } from 'vitest';
import { createSqlBetStore } from '../../../src/accounts/bets/sql-bet-store.ts';
import { SQLITE } from '../../../src/platform/sql/dialects.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { createSqliteRunner } from '../../../src/platform/sqlite/sqlite-runner.ts';
import { openRegistry } from '../../../src/server/composition/registry.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { accountRows } from '../links/account-rows.ts';
import { betStoreContract } from './bet-store.contract.ts';

const folder = temporaryFolder();
let files = 0;

betStoreContract('SQLite', async () => {
  const database = openSqliteDatabase({ file: folder.path(`bets-${++files}.db`), synchronous: 'normal' });
  const registry = await openRegistry(database);
  // One process has the file; both stores share its connection.
  const open = () => createSqlBetStore(registry, createSqliteRunner(database), SQLITE);
  return {
    bets: open(),
    another: open(),
    ...accountRows(registry as unknown as Kysely<any>),
    close: () => registry.destroy(),
  };
});

it('given the bets of a version that kept American odds alone, then they are read as before', async () => {
  const database = openSqliteDatabase({ file: folder.path('bets-of-before.db'), synchronous: 'normal' });
  const before = await openRegistry(database);
  const account = await accountRows(before as unknown as Kysely<any>).newAccount();
  const row = { accountId: account, createdAt: 2000, run: null };
  const leg = { event_id: 1, market_key: 'h2h', side: 'home', line: null, player_id: null, team_id: null } as const;
  const bet = { leg, sport: 'nfl', price: -110, decimal: null, stake: 11, book: 'fanduel', placedAt: 1000 };
  const open = (registry: typeof before) => createSqlBetStore(registry, createSqliteRunner(database), SQLITE);
  const [id] = (await open(before).add({ ...row, bets: [bet] }, 10))!;
  await (before as unknown as Kysely<any>).schema.alterTable('bets').dropColumn('decimal_price').execute();

  const after = await openRegistry(database);

  const exact = { ...bet, price: -105, decimal: 1.95 };
  const [exactId] = (await open(after).add({ ...row, bets: [exact] }, 10))!;
  expect(await open(after).list(account, { limit: 10 })).toEqual([
    { ...exact, id: exactId, createdAt: 2000 },
    { ...bet, id, createdAt: 2000 },
  ]);
  await after.destroy();
});
