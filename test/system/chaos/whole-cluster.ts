import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { issueKey } from '../../../src/accounts/keys/key-registry.ts';
import { createSqlKeys } from '../../../src/accounts/keys/sql-keys.ts';
import { openPostgres } from '../../../src/platform/postgres/open-postgres.ts';
import type { Role } from '../../../src/platform/settings/deployment-profile.ts';
import { ENGINE_NAMES, type EngineName } from '../../../src/platform/settings/engine-settings.ts';
import { ROW_MIGRATIONS } from '../../../src/server/cluster/registry-migrations.ts';
import type { Engine } from '../../../src/server/engines/engine.ts';
import { programsFolder } from '../../../src/server/engines/engine.ts';
import type { DoubleControl } from '../../../src/server/engines/event-log-double/double-control.ts';
import { eventLogDouble } from '../../../src/server/engines/event-log-double.ts';
import { type ClusterState, clusterFile } from '../../../src/server/local-cluster/cluster-file.ts';
import { processesOfRoles, startLocalCluster } from '../../../src/server/local-cluster/local-cluster.ts';
import { readClusterConfig } from '../../../src/server/local-cluster/local-cluster-config.ts';
import { type EnginesMissing, fetchPrograms } from '../../../src/server/local-cluster/local-engines.ts';
import { shippedEngines } from '../../../src/server/local-cluster/shipped-engines.ts';
import type { Caller } from '../kill/charges-load.ts';

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Why no cluster can be started on this machine; empty: one can. To stand in a suite's title. */
export const withoutEngines: string = await fetchPrograms(
  shippedEngines,
  // The double of the event log is built with the program.
  ENGINE_NAMES.filter((name) => name !== 'event-log'),
  programsFolder(),
).then(
  () => '',
  (error: EnginesMissing) => `: skipped, ${error.lines.join('; ')}`,
);

export const INGEST_KEY = 'an-ingest-key-of-the-tests';
export const BOOTSTRAP_KEY = `llk_${'0'.repeat(12)}.${'x'.repeat(43)}`;
const PEPPER = 'a-pepper-of-the-tests-of-whole-clusters';
/** Nothing but its credits limits it. */
const BUSY_PLAN = 'busy';
const PLAN = {
  name: 'Busy',
  requests_per_minute: 1_000_000,
  max_api_keys: null,
  initial_credits: 0,
  monthly_credits: 0,
  credits_expire_hours: null,
  daily_credit_cap: null,
};

export interface WholeCluster {
  readonly url: string;
  readonly folder: string;
  state(): ClusterState;
  /** With credentials. */
  address(engine: EngineName): string;
  /** What goes wrong at the event log from now on, and nothing else. */
  control(control: DoubleControl): void;
  /** Makes a key of the account with this e-mail. @param credits all that the account is granted; null: as before */
  createKey(email: string, credits: number | null): Promise<Caller>;
  stop(): Promise<void>;
}

/**
 * What the command `cluster` starts, with as many processes of each role as a test wants. Ended after the test.
 * @param environment of its processes
 */
export async function startWholeCluster(
  numbers: Readonly<Record<Role, number>>,
  environment: Readonly<Record<string, string>> = {},
): Promise<WholeCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'll-whole-'));
  onTestFinished(({ task }) => {
    if (task.result?.state === 'fail') {
      const kept = mkdtempSync(join(tmpdir(), 'll-logs-'));
      cpSync(join(folder, 'logs'), kept, { recursive: true });
      for (const engine of readdirSync(join(folder, 'engines'))) {
        const log = join(folder, 'engines', engine, 'engine.log');
        if (existsSync(log)) cpSync(log, join(kept, `${engine}.log`));
      }
      const ends = readdirSync(kept).map((file) => `${file}: ${lastWarning(join(kept, file))}`);
      console.warn(`the processes' logs are in ${kept}; their last warnings:\n${ends.join('\n')}`);
    }
    rmSync(folder, { recursive: true, force: true });
  });
  const controls = join(folder, 'double-control.json');
  const config = join(folder, 'config.json');
  writeFileSync(config, JSON.stringify({ plans: { [BUSY_PLAN]: PLAN } }));
  const urls = new Map<EngineName, string>();
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    PORT: '0',
    HOST: '127.0.0.1',
    KEY_PEPPER: PEPPER,
    CONFIG: config,
    INGEST_KEY,
    BOOTSTRAP_KEY,
    FEEDS: 'none',
    LOG_LEVEL: 'info',
    ...environment,
  };
  const stopping = new AbortController();
  const cluster = await startLocalCluster(
    {
      folder,
      processes: processesOfRoles(numbers),
      environment: env,
      programs: programsFolder(),
      config: readClusterConfig(env, folder),
      engines: () => enginesTelling(controls, (name, url) => urls.set(name, url)),
      command: [process.execPath, fileOf('../../../src/server/bin/launch.mjs'), 'start'],
      reaper: [process.execPath, fileOf('../../../src/server/bin/process-reaper.mjs')],
      warn: (line) => console.warn(line),
    },
    stopping.signal,
  );
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= cluster.stop());
  onTestFinished(stop);
  await cluster.ready;
  let changes = 0;

  return {
    url: cluster.listening,
    folder,
    state: () => JSON.parse(readFileSync(clusterFile(folder), 'utf8')) as ClusterState,
    address: (engine) => urls.get(engine)!,
    control(control) {
      writeFileSync(`${controls}.next`, JSON.stringify({ ...control, change: changes++ }));
      renameSync(`${controls}.next`, controls);
    },
    async createKey(email, credits) {
      const postgres = openPostgres(urls.get('registry')!, { migrations: ROW_MIGRATIONS });
      try {
        const maker = {
          registry: createSqlKeys(postgres.db, postgres.locking),
          random: randomBytes,
          pepper: PEPPER,
          now: Date.now,
        };
        const order = { name: email, scopes: ['all'], plan: BUSY_PLAN, account: { email }, expiresAt: null };
        const { key, record } = await issueKey(maker, { ...order, ...(credits === null ? {} : { credits }) });
        return { account: record.accountId, keyId: record.id, key };
      } finally {
        await postgres.close();
      }
    },
    stop,
  };
}

/** The last line that warns; without one the last of all. The very last says that the test stopped the process. */
function lastWarning(file: string): string | undefined {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return (lines.findLast((line) => /"level":[456]0|WARN|ERROR/.test(line)) ?? lines.at(-1))?.slice(0, 300);
}

/** Those of the program, with an event log that tests can disturb. */
async function enginesTelling(controls: string, tell: (name: EngineName, url: string) => void) {
  const { buildOutput } = (await import(new URL('../../../src/server/bin/build-output.mjs', import.meta.url).href)) as {
    buildOutput(): Promise<string>;
  };
  const double = join(await buildOutput(), 'event-log-double-process.js');
  const log = eventLogDouble(double, { EVENT_LOG_DOUBLE_CONTROL: controls });
  const all = Object.values({ ...shippedEngines, 'event-log': log }) as Engine[];
  const telling = all.map(
    (engine): Engine => ({
      ...engine,
      async start(place) {
        const running = await engine.start(place);
        tell(engine.name, running.url);
        return running;
      },
    }),
  );
  return Object.fromEntries(telling.map((engine) => [engine.name, engine]));
}
