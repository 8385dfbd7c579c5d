import { createHmac } from 'node:crypto';
import { issueKey, type KeyRequest } from '../../src/accounts/keys/key-registry.ts';
import { createSecretBox } from '../../src/api/calls/secret-box.ts';
import { createHttpServer } from '../../src/api/http/server/http-server.ts';
import { createClockMarkerFile } from '../../src/platform/clock/clock-marker-file.ts';
import { clockFile, databaseFile } from '../../src/platform/data-folder/folder-paths.ts';
import { createDevelopmentPayments } from '../../src/platform/payments/development-payments.ts';
import type { Payments } from '../../src/platform/payments/payments.ts';
import { readConfig } from '../../src/platform/settings/config.ts';
import { openSqliteDatabase, type SqliteDatabase } from '../../src/platform/sqlite/sqlite-database.ts';
import { type Environment, realEnvironment } from '../../src/server/composition/environment.ts';
import { openLiveFeeds } from '../../src/server/composition/live-feeds.ts';
import { type Core, type CoreOptions, openCore } from '../../src/server/composition/open-core.ts';
import type { RecordParts } from '../../src/server/composition/open-record.ts';
import { openServer } from '../../src/server/composition/open-server.ts';
import type { Ports, Secrets } from '../../src/server/composition/ports.ts';
import { openRegistry, type RegistryDatabase } from '../../src/server/composition/registry.ts';
import type { Replacements, ServerSettings, SharedMetering } from '../../src/server/composition/server-parts.ts';
import { openEmbedded } from '../../src/server/embedded/embedded-stores.ts';
import { openInMemory } from '../../src/server/embedded/in-memory-stores.ts';
import type { ProviderTransport } from '../../src/sources/connectors/provider-transport.ts';
import { listenBelow32768 } from '../api/http/listening.ts';
import { createTimers } from '../api/streams/timers.ts';

export const START = Date.parse('2026-03-01T12:00:00Z');
export const BASE_URL = 'https://sports.example';
export const PEPPER = 'pepper';

export interface ComposedOptions {
  /** Milliseconds at which the clock stands until it is set. */
  readonly time?: number;
  /** The data folder of the embedded stores; absent: everything is in memory. */
  readonly folder?: string;
  /** ACCEPT_CLOCK, in milliseconds; of the embedded stores only. */
  readonly acceptClock?: number;
  readonly settings?: Partial<ServerSettings>;
  /** Who takes the payments; the development adapter unless told. */
  readonly payments?: Payments;
  readonly core?: CoreOptions;
  /** Variables of the environment by which live providers are polled; absent: none are. */
  readonly feeds?: Readonly<Record<string, string>>;
  /** What they ask instead of the network, by the server's clock. */
  readonly transport?: (now: () => number) => ProviderTransport;
  readonly replacements?: Replacements;
  /** Counts the record of forecasts; what ships unless told. */
  readonly countRecord?: NonNullable<RecordParts['count']>;
  readonly baseUrl?: (port: number) => string;
  readonly isReady?: () => boolean;
  readonly simulated?: () => boolean;
  /** Ports in the place of those that were opened. */
  readonly around?: (ports: Ports) => Ports;
  /** Members of the environment. */
  readonly environment?: Partial<Environment>;
  /** Of the folder's secrets; one of the tests' own unless told. */
  readonly pepper?: string;
  /** Bytes that keys and the like are made of. */
  readonly randomBytes?: Environment['randomBytes'];
}

/** What tells of payments names one of these. */
const OF_BILLING = ['account_id', 'provider', 'customer'];

/** Something that was told of payments. */
export interface Told {
  readonly level: string;
  readonly message: string;
  readonly [field: string]: unknown;
}

/** The server that ships, composed as it ships, on a port, with a clock that stands and timers that are moved by hand. */
export async function composed(options: ComposedOptions = {}) {
  /** `uptime`, of the steady clock, goes with `time` until it is set. */
  const clock: { time: number; uptime?: number } = { time: options.time ?? START };
  const now = () => clock.time;
  const timers = createTimers();
  const told: Told[] = [];
  const failures: unknown[] = [];
  const logged: Readonly<Record<string, unknown>>[] = [];
  const tell = (level: string) => (fields: Readonly<Record<string, unknown>>, message: string) => {
    if (OF_BILLING.some((name) => name in fields)) told.push({ ...fields, level, message });
    else if (level !== 'info') {
      logged.push(fields);
      // A warning without an error tells of what was sent, such as a message that waits.
      if (level === 'error' || 'err' in fields) failures.push(fields['err']);
    }
  };
  let ids = 0;
  const environment: Environment = {
    ...realEnvironment({ info: tell('info'), warn: tell('warn'), error: tell('error') }),
    now,
    pace: timers,
    bootClock: { bootId: 'boot', uptime: () => clock.uptime ?? clock.time },
    random: () => 0.5,
    randomBytes: options.randomBytes ?? countedBytes(),
    newRequestId: () => `made-${++ids}`,
    version: '0.0.0',
    ...options.environment,
  };
  const pepper = options.pepper ?? PEPPER;
  const secrets = { pepper, session: pepper, box: createSecretBox(pepper, environment.randomBytes) };
  const { folder } = options;
  const open =
    process.env['PROFILE'] === 'cluster'
      ? (await import('./cluster/cluster-test-stores.ts')).openClusterStores
      : openOwnStores;
  const opened = await open(options, environment, secrets);
  const { ports, core, shared } = opened;
  const connectors =
    options.feeds &&
    (await openLiveFeeds({
      config: readConfig(options.feeds),
      ports,
      core,
      environment,
      owner: 'server',
      ...(options.transport && { transport: options.transport(now) }),
    }));
  const state = { port: 0 };
  const baseUrl = () => options.baseUrl?.(state.port) ?? BASE_URL;
  const server = await openServer({
    ports,
    core,
    shared,
    secrets,
    environment,
    baseUrl,
    settings: { ...readConfig({}), livePage: false, ...options.settings },
    payments: options.payments ?? createDevelopmentPayments(),
    isReady: options.isReady ?? (() => true),
    simulated: options.simulated ?? (() => false),
    folder,
    connectors,
    replacements: options.replacements,
    ...(options.countRecord ? { countRecord: options.countRecord } : {}),
  });
  const http = createHttpServer(server.listener, baseUrl, environment.newRequestId);
  state.port = await listenBelow32768(http);

  return {
    url: `http://127.0.0.1:${state.port}`,
    port: state.port,
    clock,
    timers,
    ports,
    core,
    server,
    http,
    connectors,
    environment,
    /** What is told of payments. */
    told,
    /** What is told of failures: the errors, and the lines that tell them. */
    failures,
    logged,
    /** What is relational, to look at. */
    registry: opened.registry,
    /** Where it is embedded. */
    database: opened.database!,
    /** A key of an account of its own, unless told. */
    newKey: (request: Partial<KeyRequest> = {}) =>
      issueKey(server.accounts.keyMaker, {
        name: 'test',
        scopes: ['all'],
        expiresAt: null,
        account: 'own',
        ...request,
      }),
    async close() {
      await connectors?.close();
      http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
      await server.close();
      await opened.close();
    },
  };
}

/** What a server stands on. */
export interface OpenedStores {
  readonly ports: Ports;
  readonly core: Core;
  readonly shared?: SharedMetering | undefined;
  /** What is relational, on a connection of its own that the caller does not close. */
  readonly registry: () => Promise<RegistryDatabase>;
  /** Absent: it is not embedded. */
  readonly database?: SqliteDatabase;
  close(): Promise<void>;
}

/** Embedded ones, in the folder or in memory. */
async function openOwnStores(
  { folder, acceptClock, around, core: coreOptions }: ComposedOptions,
  environment: Environment,
  secrets: Secrets,
): Promise<OpenedStores> {
  const file = folder === undefined ? ':memory:' : databaseFile(folder);
  const database = openSqliteDatabase({ file, synchronous: 'normal' });
  const opened =
    folder === undefined
      ? await openInMemory(secrets, environment, database)
      : await openEmbedded(folder, secrets, environment, acceptClock);
  const ports = around?.(opened) ?? opened;
  const core = await openCore(ports, environment, coreOptions);
  return {
    ports,
    core,
    database,
    // The tables are there.
    registry: () => openRegistry(database, true),
    async close() {
      await core.close();
      const mark = opened.clock.currentMarker();
      if (folder !== undefined && mark) createClockMarkerFile(clockFile(folder)).write(mark);
      await opened.close();
      if (folder !== undefined) database.close();
    },
  };
}
export type Composed = Awaited<ReturnType<typeof composed>>;

/** Other bytes in each server: two on one folder must not make the same keys. */
let servers = 0;
export function countedBytes(): (size: number) => Uint8Array {
  const server = ++servers;
  let calls = 0;
  return (size) => {
    const call = ++calls;
    const block = (index: number) => createHmac('sha256', 'seed').update(`${server}/${call}/${index}`).digest();
    return Buffer.concat(Array.from({ length: Math.ceil(size / 32) }, (_, index) => block(index))).subarray(0, size);
  };
}
