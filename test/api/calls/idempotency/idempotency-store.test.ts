import { Kysely, type SqliteDatabase as KyselySqlite, SqliteDialect } from 'kysely';
import { expect, it } from 'vitest';
import type { RunClaim } from '../../../../src/api/calls/idempotency/idempotency-store.ts';
import {
  createIdempotencyTables,
  createSqliteIdempotencyStore,
  type IdempotencyTables,
} from '../../../../src/api/calls/idempotency/sql-idempotency-store.ts';
import { openSqliteDatabase } from '../../../../src/platform/sqlite/sqlite-database.ts';
import { temporaryFolder } from '../../../event-log/temporary-folder.ts';
import { createFaultyIdempotencyStore } from '../../../support/faulty/faulty-idempotency-store.ts';
import { createFaultyNetwork } from '../../../support/faulty/faulty-network.ts';
import { rememberedAnswersContract } from './idempotency-store.contract.ts';
import { createMemoryIdempotencyStore } from './memory-idempotency-store.ts';

const folder = temporaryFolder();
let files = 0;

function openTables(file: string): Kysely<IdempotencyTables> {
  const database = openSqliteDatabase({ file, synchronous: 'normal' }) as unknown as KyselySqlite;
  return new Kysely<IdempotencyTables>({ dialect: new SqliteDialect({ database }) });
}

rememberedAnswersContract('memory', async () => {
  const answers = createMemoryIdempotencyStore();
  return { open: async () => answers, close: async () => {} };
});

/** Each process has a connection of its own to one file. */
rememberedAnswersContract('SQLite', async () => {
  const file = folder.path(`answers-${++files}.db`);
  const opened: Kysely<IdempotencyTables>[] = [];
  return {
    async open() {
      const database = openTables(file);
      opened.push(database);
      await createIdempotencyTables(database);
      return createSqliteIdempotencyStore(database);
    },
    close: async () => void (await Promise.all(opened.map((database) => database.destroy()))),
  };
});

rememberedAnswersContract('far', async () => {
  const answers = createMemoryIdempotencyStore();
  let seed = 0;
  return {
    open: async () => createFaultyIdempotencyStore(answers, createFaultyNetwork({ seed: ++seed })),
    close: async () => {},
  };
});

it('a folder of an earlier version, without running calls, still has its answers', async () => {
  const database = openTables(folder.path('before.db'));
  const claim: RunClaim = {
    recordKey: { accountId: 3, path: '/p', scopes: 'all', key: 'k' },
    requestHash: 'h',
    owner: 'a',
    token: 't',
    runId: 'r',
  };
  await createIdempotencyTables(database);
  await database.schema.dropTable('running_calls').execute();
  const row = { account_id: 3, path: '/p', key: 'k', request_hash: 'h', answer: '{"x":1}', kept_at: 1000 };
  await database.insertInto('idempotency_records').values(row).execute();
  await createIdempotencyTables(database);
  const answers = createSqliteIdempotencyStore(database);
  expect(await answers.begin(claim, 2000)).toEqual({ kind: 'answer', answer: { x: 1 } });
  expect(await database.selectFrom('running_calls').selectAll().execute()).toEqual([]);
  await database.destroy();
});

it('a claim that succeeds just after the key was freed finds the answer', async () => {
  const database = openTables(folder.path('between.db'));
  await createIdempotencyTables(database);
  const answers = createSqliteIdempotencyStore(database);
  const claim = (token: string): RunClaim => ({
    recordKey: { accountId: 1, path: '/p', scopes: 'all', key: 'k' },
    requestHash: 'h',
    owner: 'a',
    token,
    runId: token,
  });
  await answers.begin(claim('first'), 0);
  const finishing = answers.finish(claim('first'), 'kept', 0);
  const beginning: ReturnType<typeof answers.begin>[] = [];
  for (let others = 0; others < 100; others++) {
    beginning.push(answers.begin(claim(`other ${others}`), 0));
    await Promise.resolve();
  }
  const begun = await Promise.all(beginning);
  await finishing;
  const kinds = new Set(begun.map(({ kind }) => kind));
  kinds.delete('running');
  expect([...kinds].filter((kind) => kind !== 'answer')).toEqual([]);
  expect(await answers.begin(claim('last'), 0)).toEqual({ kind: 'answer', answer: 'kept' });
  await database.destroy();
});
