import { expect, it } from 'vitest';
import { openSqliteDatabase } from '../../src/platform/sqlite/sqlite-database.ts';
import { createMemoryFoldStore } from '../../src/read-models/store/fold-store.ts';
import { openSqliteFoldStore } from '../../src/read-models/store/sqlite/sqlite-fold-store.ts';
import { foldStoreContract, fullFoldStoreContract } from './fold-store.contract.ts';

const memory = async (maxBytes?: number) => createMemoryFoldStore(maxBytes);
const sqlite = async (maxBytes?: number) => openSqliteFoldStore(openSqliteDatabase({ file: ':memory:' }), maxBytes);

foldStoreContract('memory', memory);
fullFoldStoreContract('memory', memory);
foldStoreContract('SQLite', sqlite);
fullFoldStoreContract('SQLite', sqlite);

it('given a store that is opened again, then its bytes still count', async () => {
  const database = openSqliteDatabase({ file: ':memory:' });
  const content = Buffer.alloc(15);
  await openSqliteFoldStore(database, 20).write('one', '1', [{ place: 1, note: '', content }], []);
  const store = openSqliteFoldStore(database, 20);
  await store.write('two', '1', [{ place: 1, note: '', content }], []);
  expect(await store.list('one', '1')).toEqual([]);
  expect(await store.list('two', '1')).toHaveLength(1);
});
