import { sql } from 'kysely';
import { projections } from '../../../projections/index.ts';
import { ApiError } from '../../../src/api/calls/api-errors.ts';
import type { OperationContext } from '../../../src/api/calls/operation/operation.ts';
import { operations } from '../../../src/api/operations/index.ts';
import { BOOKMAKERS, SHARP_BOOK_WEIGHTS } from '../../../src/domain/catalogue/catalogue.ts';
import { toPosition } from '../../../src/domain/event-sourcing/position.ts';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import { createLogFeed } from '../../../src/event-log/subscription/log-feed.ts';
import { createMarketQualities } from '../../../src/forecasting/facts/market-qualities.ts';
import { createPriceFolds } from '../../../src/forecasting/facts/price-folds.ts';
import type { EntityKind, Identities } from '../../../src/ingest/identities/identities.ts';
import { SqlIdentities } from '../../../src/ingest/identities/sql/sql-identities.ts';
import type { IntakeItem, Outcome } from '../../../src/ingest/intake/intake.ts';
import { createMemoryStateSnapshots } from '../../../src/ingest/states/memory-state-snapshots.ts';
import { NEVER_PUBLISHED } from '../../../src/intelligence/evaluation/publication-rule.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { createDocumentHistory } from '../../../src/read-models/as-of/document-history.ts';
import { createChangeFeed } from '../../../src/read-models/change-feed/change-feed.ts';
import { createBookmakers } from '../../../src/read-models/rendering/bookmakers.ts';
import { createMemoryFoldStore } from '../../../src/read-models/store/fold-store.ts';
import { createMemoryStore } from '../../../src/read-models/store/memory-store.ts';
import { silentLog } from '../../../src/server/composition/environment.ts';
import { openCore, openIntake } from '../../../src/server/composition/open-core.ts';
import { openRegistry, type RegistryDatabase } from '../../../src/server/composition/registry.ts';
import { contents } from '../../read-models/runner-kit.ts';

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

/** Hardly a state is still there when it is needed next: it comes from a snapshot, and from the records since. */
const FORGETFUL = { states: { stateBytes: 4000, historyBytes: 4000, snapshotEvery: 3 } };
/** The same of folds, of which the shortest are stored. */
const forgetfulHistories = () => ({
  maxBytes: 20_000,
  snapshotEvery: 3,
  storing: {
    store: createMemoryFoldStore(),
    sizes: { from: 1, every: 2, block: 2 },
    onError(error: unknown) {
      throw error;
    },
  },
});

/** The server without its doors, in memory: intake, log, projections and operations, with a clock that is set. */
export async function smallServer({ time, log: newLog, around = (ports) => ports }: ServerOptions) {
  const clock = { time };
  const now = () => clock.time;
  const log = newLog?.(now) ?? createMemoryLog({ now });
  const store = createMemoryStore();
  const registry = await borrowRegistry();
  const opened = () => SqlIdentities.open(registry, undefined, { isSoleWriter: true });
  let own = await opened();
  const identities = withWideIds(() => own);
  const environment = { now, random: () => 0, logger: silentLog };
  const states = createMemoryStateSnapshots();
  const { runner, projected, ...core } = await openCore(
    { ...around({ log, identities }), feed: createLogFeed(log), store, states },
    environment,
    FORGETFUL,
  );
  let { intake } = core;
  await runner.start();

  const histories = createDocumentHistory(log, forgetfulHistories());
  const context: OperationContext = {
    store,
    histories,
    prices: createPriceFolds(histories),
    marketQualities: createMarketQualities({ log }),
    replacements: log.replacements,
    identities,
    forecasts: core.forecasts,
    bookmakers: createBookmakers(BOOKMAKERS, SHARP_BOOK_WEIGHTS),
    now,
    latestUpdatedAt: now,
    isSimulated: () => false,
    principal: { keyId: 1, accountId: 1, plan: 'free', scopes: ['all'], unlimited: true },
    call: { requestId: 'test' },
    accounts: undefined as never,
    receipts: undefined as never,
    experiments: undefined as never,
    changes: createChangeFeed({
      log,
      store,
      steadyNow: () => 0,
      projected: async (place) => runner.waitFor(toPosition(place)),
    }),
    record: {
      rows: async () => [],
      months: async () => [],
      publicationsOf: () => NEVER_PUBLISHED,
      blendTurnsOf: () => null,
      countedBlendTurnsOf: async () => null,
      onPublications: () => () => {},
      reliabilityOf: () => 'emerging',
    },
    baseUrl: () => '',
    links: undefined as never,
    bets: undefined as never,
    myBooks: undefined as never,
    webhooks: undefined as never,
    trials: undefined as never,
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
    accept: async (messages: readonly Message[]): Promise<readonly Outcome[]> =>
      (await intake.accept(messages.map((value, index) => ({ line: index + 1, value })))).outcomes,
    /** As after a crash: what was only in memory is gone. */
    async restart() {
      own = await opened();
      intake = await openIntake({ ...around({ log, identities }), states }, environment, FORGETFUL);
    },
    projected,
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
      return (await identities.listQuarantined(100_000)).map(({ message }) => message as Message);
    },
    async close() {
      await runner.stop();
      await log.close();
      registries.push(registry);
    },
  };
}
export type SmallServer = Awaited<ReturnType<typeof smallServer>>;

/** Registries that no server uses now: emptying one is much quicker than making one. */
const registries: RegistryDatabase[] = [];
const TABLES = [
  'id_counters',
  'external_ids',
  'names',
  'fixtures',
  'quarantine',
  'quarantine_keys',
  'quarantine_claims',
  'named_sources',
  'quarantine_counts',
  'untried_keys',
];

async function borrowRegistry(): Promise<RegistryDatabase> {
  const free = registries.pop();
  if (!free) return openRegistry(openSqliteDatabase({ file: ':memory:' }));
  for (const table of TABLES) await sql`delete from ${sql.table(table)}`.execute(free);
  return free;
}

function withWideIds(own: () => Identities): Identities {
  return new Proxy({} as Identities, {
    get(_, name) {
      const target = own();
      if (name === 'allocate') {
        return async (kind: EntityKind, count?: number) =>
          (await target.allocate(kind, count)).map((id) => FIRST_ID[kind] + id);
      }
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
