import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { issueKey } from '../../../src/accounts/keys/key-registry.ts';
import { createSqlKeys } from '../../../src/accounts/keys/sql-keys.ts';
import { openPostgres } from '../../../src/platform/postgres/open-postgres.ts';
import { readConfig } from '../../../src/platform/settings/config.ts';
import type { Role } from '../../../src/platform/settings/deployment-profile.ts';
import { type ClusterProcess, startClusterProcess } from '../../../src/server/cluster/cluster-process.ts';
import { freePort } from '../../../src/server/engines/free-port.ts';
import { kafkaServer, withoutKafka } from '../../messaging/kafka-server.ts';
import { postgresServer, withoutPostgres } from '../../platform/postgres/postgres-server.ts';
import { type RedisServer, startRedis, whyNoRedis } from '../../platform/redis/redis-server.ts';
import { type MongoServer, mongoMissing, startMongo } from '../../read-models/mongo-server.ts';
import { type StartedDouble, startDoubleProcess } from '../engines/started-double.ts';
import { eventually } from './toy-cluster.ts';

/** Why no cluster can be started here; empty: one can. To stand in a suite's title. */
export const withoutEngines: string = [withoutKafka, withoutPostgres, whyNoRedis ?? '', mongoMissing ?? '']
  .filter((why) => why !== '')
  .join('; ');

export const OPERATOR = `llk_${'a'.repeat(12)}.${'b'.repeat(43)}`;
/** Several processes begin at once, on a machine that does other things. */
const READY_WITHIN = 120_000;
const PEPPER = 'p'.repeat(32);

export interface ClusterWorld {
  readonly broker: { readonly pid: number };
  readonly store: MongoServer;
  /** Starts a process in this one, and resolves when it is ready. */
  start(...roles: readonly Role[]): Promise<WorldProcess>;
  /** A key of an account of its own, with so many credits, that many requests do not exhaust. */
  newKey(credits: number): Promise<string>;
}

export interface WorldProcess extends ClusterProcess {
  /** Samples of its metrics: values by their whole name, labels included. */
  metrics(): Promise<ReadonlyMap<string, number>>;
  read(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** Sends facts. @param query `?wait=projected` */
  tell(lines: string, query?: string): Promise<{ readonly position: string; readonly report: Record<string, unknown> }>;
}

/** Five engines for a test file, and processes of a cluster on them, each with its own connections. */
export function clusterWorld(): ClusterWorld {
  const broker = kafkaServer();
  const registry = postgresServer();
  let [log, store, limits]: [StartedDouble?, MongoServer?, RedisServer?] = [];
  let environment: Record<string, string> = {};
  const processes: ClusterProcess[] = [];

  beforeAll(async () => {
    if (withoutEngines !== '') return;
    [log, store, limits] = [await startDoubleProcess(), await startMongo(), await startRedis()];
    environment = {
      EVENT_LOG_URL: log.url,
      READ_STORE_URL: store.url(),
      REGISTRY_URL: await registry.database(),
      LIMITS_URL: limits.url,
      BROKER_URL: broker.url,
      GROUP_SESSION_SECONDS: '1.5',
      KEY_PEPPER: PEPPER,
      SESSION_SECRET: PEPPER,
      BASE_URL: 'http://127.0.0.1:1',
      HOST: '127.0.0.1',
      INGEST_KEY: 'ingest',
      BOOTSTRAP_KEY: OPERATOR,
      FEEDS: 'none',
    };
  }, 120_000);
  afterEach(async () => {
    await Promise.all(processes.splice(0).map((one) => one.stop()));
  }, 60_000);
  afterAll(async () => {
    await Promise.all([log?.stop(), store?.stop(), limits?.stop()]);
  }, 60_000);

  return {
    broker,
    get store() {
      return store!;
    },
    async start(...roles) {
      const config = readConfig({ ...environment, ROLES: roles.join(','), PORT: String(await freePort()) });
      const logged: string[] = [];
      const log = (fields: object, message: string) =>
        void logged.push(`${message} ${(fields as { err?: Error }).err}`);
      const one = await startClusterProcess(config, { info: log, warn: log, error: log, fatal: log });
      processes.push(one);
      let told = '';
      await eventually(async () => {
        const answer = await fetch(`${one.listening}/readyz`);
        told = await answer.text();
        return answer.ok;
      }, READY_WITHIN).catch(() => {
        throw new Error(`${roles} is not ready: ${told}; ${logged.slice(-5).join('; ')}`);
      });
      return worldProcess(one);
    },
    async newKey(credits) {
      const postgres = openPostgres(environment['REGISTRY_URL']!, { migrations: [] });
      try {
        const maker = {
          registry: createSqlKeys(postgres.db, postgres.locking),
          random: randomBytes,
          pepper: PEPPER,
          now: Date.now,
        };
        const order = {
          name: 'client',
          plan: 'growth',
          scopes: ['all'],
          account: 'own',
          credits,
          expiresAt: null,
        } as const;
        return (await issueKey(maker, order)).key;
      } finally {
        await postgres.close();
      }
    },
  };
}

function worldProcess(one: ClusterProcess): WorldProcess {
  return {
    ...one,
    async metrics() {
      const lines = (await (await fetch(`${one.listening}/metrics`)).text()).split('\n');
      return new Map(
        lines.flatMap((line) => {
          const [, name, value] = /^(\w+(?:\{.*\})?) (\S+)$/.exec(line) ?? [];
          return name === undefined ? [] : [[name, Number(value)] as const];
        }),
      );
    },
    read: (path, headers = {}) =>
      fetch(`${one.listening}${path}`, { headers: { authorization: `Bearer ${OPERATOR}`, ...headers } }),
    async tell(lines, query = '') {
      const answer = await fetch(`${one.listening}/ingest/v1/messages${query}`, {
        method: 'POST',
        body: lines,
        headers: { authorization: 'Bearer ingest', 'content-type': 'application/x-ndjson' },
      });
      const report = (await answer.json()) as Record<string, unknown>;
      return { position: answer.headers.get('ledgerline-position') ?? '', report };
    },
  };
}
