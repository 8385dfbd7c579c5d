import { type AddressInfo, createServer, type Socket } from 'node:net';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { openPostgres, type Postgres, type PostgresOptions } from '../../../src/platform/postgres/open-postgres.ts';
import { RegistryUnavailable } from '../../../src/platform/postgres/postgres-errors.ts';
import { type QuerySteps, queryRows } from '../../../src/platform/sql/query-runner.ts';
import { childrenOf } from '../../server/engines/children-of.ts';
import { patientTimeout } from '../../support/patient-timeout.ts';
import { postgresServer, withoutPostgres } from './postgres-server.ts';

const NUMBERS = {
  subject: 'numbers',
  steps: [
    async (db: Postgres['db']) => {
      await sql`create table numbers (name text primary key, number bigint not null)`.execute(db);
    },
  ],
};

describe.skipIf(withoutPostgres !== '')(`a PostgreSQL database ${withoutPostgres}`, () => {
  const server = postgresServer();
  const opened: Postgres[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
  });
  function open(url: string, options: Partial<PostgresOptions> = {}): Postgres {
    const one = openPostgres(url, { migrations: [NUMBERS], ...options });
    opened.push(one);
    return one;
  }
  const numbers = ({ db }: Postgres) => db.selectFrom('numbers').selectAll().orderBy('name').execute();

  it('given integers of 64 bits, then they come as numbers, and as texts where a number cannot hold them', async () => {
    const one = open(await server.database());
    const { rows } = await sql`select 9007199254740991::bigint as safe, 9007199254740993::bigint as large,
      count(*) as counted from numbers`.execute(one.db);
    expect(rows).toEqual([{ safe: 9007199254740991, large: '9007199254740993', counted: 0 }]);
  });

  it('given the server’s clock, then it is told in milliseconds', async () => {
    expect(Math.abs((await open(await server.database()).now()) - Date.now())).toBeLessThan(60_000);
  });

  it('given many processes that begin at once, then the tables are made once', async () => {
    const url = await server.database();
    let made = 0;
    const migrations = [
      {
        subject: 'numbers',
        steps: [
          async (db: Postgres['db']) => {
            made++;
            await NUMBERS.steps[0]!(db);
          },
        ],
      },
    ];
    const all = Array.from({ length: 6 }, () => open(url, { migrations }));
    await Promise.all(all.map((one) => one.ping()));
    expect(made).toBe(1);
    expect(await numbers(all[3]!)).toEqual([]);
  });

  it('given tables of the next version, then a program goes on; given those of a later one, then it does not', async () => {
    const url = await server.database();
    const step = NUMBERS.steps[0]!;
    const later = (versions: number) => ({
      migrations: [{ subject: 'numbers', steps: [step, ...Array.from({ length: versions }, () => async () => {})] }],
    });
    await open(url).ping();
    await open(url, later(1)).ping();
    expect(await numbers(open(url))).toEqual([]);
    await open(url, later(2)).ping();
    await expect(open(url).ping()).rejects.toMatchObject({ code: 'registry_too_new' });
    await open(url, later(1)).ping();
  });

  it('given a migration that fails, then nothing of it stands, and the next who asks tries again', async () => {
    const url = await server.database();
    let isBroken = true;
    const one = open(url, {
      migrations: [
        NUMBERS,
        {
          subject: 'others',
          steps: [
            async (db) => {
              if (isBroken) await sql`create table numbers (name text)`.execute(db);
            },
          ],
        },
      ],
    });
    await expect(one.ping()).rejects.toThrow(/already exists/);
    const { rows } = await sql<{ stands: boolean }>`select to_regclass('numbers') is not null as stands`.execute(
      open(url, { migrations: [] }).db,
    );
    expect(rows).toEqual([{ stands: false }]);
    isBroken = false;
    expect(await numbers(one)).toEqual([]);
  });

  it('given a database of which only the runner was used, when it is closed, then its connections end', async () => {
    const url = await server.database();
    const one = openPostgres(url, { migrations: [NUMBERS] });
    await one.runner.write([one.db.insertInto('numbers').values({ name: 'a', number: 0 })]);
    await one.close();
    const other = open(await server.database());
    await expect
      .poll(
        async () => {
          const { rows } =
            await sql`select 1 from pg_stat_activity where datname = ${new URL(url).pathname.slice(1)}`.execute(
              other.db,
            );
          return rows;
        },
        { timeout: patientTimeout(2500) },
      )
      .toEqual([]);
  });

  it('given transactions that count on what they read, at once, then it is as if they came one after another', async () => {
    const url = await server.database();
    const all = [open(url), open(url), open(url)];
    await all[0]!.db.insertInto('numbers').values({ name: 'a', number: 0 }).execute();
    function* addOne(db: Postgres['db']): QuerySteps<number> {
      const [row] = yield* queryRows<{ number: number }>(
        db.selectFrom('numbers').select('number').where('name', '=', 'a') as never,
      );
      yield db
        .updateTable('numbers')
        .set({ number: row!.number + 1 })
        .where('name', '=', 'a');
      return row!.number;
    }
    const seen = await Promise.all(
      Array.from({ length: 30 }, (_, n) => {
        const { runner, db } = all[n % 3]!;
        return runner.transact(() => addOne(db));
      }),
    );
    expect(new Set(seen).size).toBe(30);
    expect(await numbers(all[1]!)).toEqual([{ name: 'a', number: 30 }]);
  });

  it('given changes of which one fails, then none is made', async () => {
    const one = open(await server.database());
    const insert = (number: number) => one.db.insertInto('numbers').values({ name: 'a', number });
    await expect(one.runner.write([insert(1), insert(2)])).rejects.toMatchObject({ code: '23505' });
    expect(await numbers(one)).toEqual([]);
  });

  it('given a server that ends and begins again, then it is away meanwhile, and works afterwards by itself', async () => {
    const one = open(await server.database());
    await one.ping();
    await server.stop();
    const error = await one.ping().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RegistryUnavailable);
    expect(String((error as Error).stack)).not.toMatch(/postgres:\/\/|test_/);
    await expect(one.runner.all(one.db.selectFrom('numbers').selectAll())).rejects.toBeInstanceOf(RegistryUnavailable);
    await server.start();
    await expect.poll(() => one.ping().then(() => 'there'), { timeout: patientTimeout(10_000) }).toBe('there');
    expect(await numbers(one)).toEqual([]);
  });

  it('given a server that ends in a transaction, then it is away, and nothing of the transaction stands', async () => {
    const one = open(await server.database());
    await one.ping();
    const sleeping = { compile: () => sql`select pg_sleep(2)`.compile(one.db) };
    function* interrupted(): QuerySteps<void> {
      yield one.db.insertInto('numbers').values({ name: 'a', number: 1 });
      process.kill(server.pid, 'SIGINT');
      yield sleeping;
    }
    await expect(one.runner.transact(interrupted)).rejects.toBeInstanceOf(RegistryUnavailable);
    await server.stop();
    await server.start();
    await expect.poll(() => numbers(one).catch(() => 'away'), { timeout: patientTimeout(10_000) }).toEqual([]);
  });

  it('given a server all of whose processes stand still, then calls end, and work when they go on', async () => {
    const one = open(await server.database());
    await one.ping();
    const all = [server.pid, ...childrenOf(server.pid)];
    for (const pid of all) process.kill(pid, 'SIGSTOP');
    try {
      await expect(one.ping()).rejects.toBeInstanceOf(RegistryUnavailable);
      await expect(one.runner.write([one.db.deleteFrom('numbers')])).rejects.toBeInstanceOf(RegistryUnavailable);
    } finally {
      for (const pid of all) process.kill(pid, 'SIGCONT');
    }
    await expect.poll(() => numbers(one).catch(() => 'away'), { timeout: patientTimeout(10_000) }).toEqual([]);
  });

  it('given a query that takes too long, then it ends in time, and the next connection is new', async () => {
    const one = open(await server.database());
    await one.ping();
    const hanging = { compile: () => sql`select pg_sleep(30)`.compile(one.db) };
    await expect(one.runner.all(hanging)).rejects.toBeInstanceOf(RegistryUnavailable);
    expect(await numbers(one)).toEqual([]);
  });

  it('given an address at which nothing answers, then opening it is no error, and asking is', async () => {
    const one = open('postgres://somebody:secret@127.0.0.1:1/nothing');
    const error = await one.ping().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RegistryUnavailable);
    expect(JSON.stringify([String(error), error])).not.toMatch(/secret|somebody/);
  });

  it('given a server that takes connections and says nothing, then a call ends in time, and the next ones at once', async () => {
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => sockets.add(socket));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const one = open(`postgres://somebody:secret@127.0.0.1:${port}/nothing`);
    await expect(one.ping()).rejects.toBeInstanceOf(RegistryUnavailable);
    const tried = sockets.size;
    await expect(one.ping()).rejects.toBeInstanceOf(RegistryUnavailable);
    expect(sockets.size).toBe(tried);
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => silent.close(resolve));
  });

  it('given a wrong password, then it is away, and the error names nobody', async () => {
    const url = new URL(await server.database());
    url.password = 'wrong';
    const error = await open(url.href)
      .ping()
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RegistryUnavailable);
    expect(String((error as Error).stack)).not.toMatch(/wrong|for user/);
  });
});
