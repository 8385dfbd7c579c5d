import { sql } from 'kysely';
import { projections } from '../../projections/index.ts';
import { createHistories } from '../../src/as-of/histories.ts';
import { ApiError } from '../../src/calls/errors.ts';
import type { OperationContext } from '../../src/calls/operation.ts';
import { openRegistry, type RegistryDatabase } from '../../src/composition/registry.ts';
import type { EntityKind, Identities } from '../../src/identities/identities.ts';
import { SqlIdentities } from '../../src/identities/sql-identities.ts';
import { FeedIntake } from '../../src/ingest/feed-intake.ts';
import type { IntakeItem, Outcome } from '../../src/ingest/intake.ts';
import type { EventLog } from '../../src/log/event-log.ts';
import { createLogFeed } from '../../src/log/log-feed.ts';
import { createMemoryLog } from '../../src/log/memory-log.ts';
import { operations } from '../../src/operations/index.ts';
import { openSqliteDatabase } from '../../src/sqlite/sqlite-database.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import { createProjectionRunner } from '../../src/store/projection-runner.ts';
import { contents } from '../store/runner-kit.ts';

export type Message = Record<string, unknown>;

/** Ids of each kind begin here, so that a number alone tells of what it is the id. Participants' are 2e9 and up. */
export const FIRST_ID: Readonly<Record<EntityKind, number>> = {
  event: 1_000_000_000,
  team: 3_000_000_000,
  player: 4_000_000_000,
  venue: 5_000_000_000,
  competition: 6_000_000_000,
};

export interface ServerOptions {
  /** Milliseconds at the start. */
  readonly time: number;
  readonly log?: (now: () => number) => EventLog;
  /** Around what the intake works with, for failures. */
  readonly around?: (ports: { log: EventLog; identities: Identities }) => { log: EventLog; identities: Identities };
}

/** The server without its doors, in memory: intake, log, projections and operations, with a clock that is set. */
export async function smallServer({ time, log: newLog, around = (ports) => ports }: ServerOptions) {
  const clock = { time };
  const now = () => clock.time;
  const log = newLog?.(now) ?? createMemoryLog({ now });
  const store = createMemoryStore();
  const { registry, identities: own } = await borrowRegistry();
  const identities = withWideIds(own);
  const newIntake = () => {
    const ports = around({ log, identities });
    return new FeedIntake({ ...ports, now, pause: async () => {}, random: () => 0 });
  };
  let intake = newIntake();
  const runner = createProjectionRunner({ log, feed: createLogFeed(log), store, projections, now });
  await runner.start();

  const context: OperationContext = {
    store,
    log,
    histories: createHistories(log),
    now,
    principal: { keyId: 1, accountId: 1, plan: 'free', scopes: ['all'], unlimited: true },
    call: { requestId: 'test' },
    accounts: undefined as never,
    webhooks: undefined as never,
    health: () => Promise.reject(new Error('not asked')),
  };

  return {
    clock,
    log,
    store,
    context,
    identities,
    status: () => runner.status(),
    /** For doors. */
    intake: { accept: (items: readonly IntakeItem[]) => intake.accept(items) },
    accept: (messages: readonly Message[]): Promise<readonly Outcome[]> =>
      intake.accept(messages.map((value, index) => ({ line: index + 1, value }))),
    /** As after a crash: what was only in memory is gone. */
    async restart() {
      await own.reset();
      intake = newIntake();
      await intake.resume();
    },
    async projected() {
      const head = await log.head();
      if (head !== null) await runner.waitFor(head);
    },
    /** Every document of every projection, by projection and key. */
    async documents(): Promise<Record<string, Record<string, unknown>>> {
      const all: Record<string, Record<string, unknown>> = {};
      for (const { name } of projections) {
        const stored = await contents(store, name);
        all[name] = Object.fromEntries(stored.map(({ key, document }) => [key, document]));
      }
      return all;
    },
    /** What an operation answers; an error of the API as `{ error: code }`. */
    async ask(name: string, input: Message): Promise<unknown> {
      const operation = operations.find((one) => one.name === name)!;
      const { path, query, body } = operation.input;
      const parsed = Object.assign({}, ...[path, query, body].map((schema) => schema?.parse(input) ?? {}));
      try {
        return JSON.parse(JSON.stringify(await operation.run(parsed, context)));
      } catch (error) {
        if (error instanceof ApiError) return { error: error.code };
        throw error;
      }
    },
    async records() {
      return log.readAll(null, 1_000_000);
    },
    async waiting() {
      return (await identities.listWaiting(100_000)).map(({ message }) => message as Message);
    },
    async close() {
      await runner.stop();
      await log.close();
      registries.push({ registry, identities: own });
    },
  };
}
export type SmallServer = Awaited<ReturnType<typeof smallServer>>;

interface BorrowedRegistry {
  readonly registry: RegistryDatabase;
  readonly identities: SqlIdentities;
}
/** Registries that no server uses now: emptying one is much quicker than making one. */
const registries: BorrowedRegistry[] = [];
const TABLES = ['id_counters', 'external_ids', 'names', 'fixtures', 'waiting', 'waiting_keys'];

async function borrowRegistry(): Promise<BorrowedRegistry> {
  const free = registries.pop();
  if (!free) {
    const registry = await openRegistry(openSqliteDatabase({ file: ':memory:' }));
    return { registry, identities: await SqlIdentities.open(registry) };
  }
  for (const table of TABLES) await sql`delete from ${sql.table(table)}`.execute(free.registry);
  await free.identities.reset();
  return free;
}

function withWideIds(identities: Identities): Identities {
  return new Proxy(identities, {
    get(target, name) {
      if (name === 'allocate') return (kind: EntityKind) => FIRST_ID[kind] + target.allocate(kind);
      const member = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

export async function withServer<Result>(
  options: ServerOptions,
  use: (server: SmallServer) => Promise<Result>,
): Promise<Result> {
  const server = await smallServer(options);
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}
