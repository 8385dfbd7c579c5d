import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createRequestIds } from '../../api/http/requests/request-ids.ts';
import { createResponder } from '../../api/http/responder.ts';
import { createHttpServer } from '../../api/http/server/http-server.ts';
import { lockFolder } from '../../platform/data-folder/folder-lock.ts';
import { loadOrCreateSecret } from '../../platform/data-folder/folder-secret.ts';
import { baseUrl, type Config, listenUrl } from '../../platform/settings/config.ts';
import { ROLES, type Role } from '../../platform/settings/deployment-profile.ts';
import {
  ENGINE_NAMES,
  ENGINE_VARIABLES,
  type EngineName,
  redactAddress,
} from '../../platform/settings/engine-settings.ts';
import { type Closing, createClosing } from '../composition/closing.ts';
import { connectionsOf, descriptorLimit } from '../composition/descriptors.ts';
import { listen, stopListening } from '../composition/listen.ts';
import { openClusterControl } from '../control/cluster-control.ts';
import { freePort } from '../engines/free-port.ts';
import { type Backend, type Backends, watchBackends } from './backends.ts';
import { type ClusterState, clusterFile, writePrivateJson } from './cluster-file.ts';
import { createLoadBalancer } from './load-balancer.ts';
import { type Engines, engineServer, fetchPrograms } from './local-engines.ts';
import { endOrphans, recordStarted } from './orphaned-processes.ts';
import { type ProcessKind, type ProcessReaper, startProcessReaper } from './process-reaper.ts';
import { type Running, type Startable, supervise } from './supervised-process.ts';

export interface LocalClusterParts {
  /** Must exist. */
  readonly folder: string;
  readonly config: Config;
  /** The settings of the processes, with the addresses of engines that run elsewhere. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The processes to start, each with its roles. */
  readonly processes: readonly PlannedProcess[];
  /** The engines that can be started on this machine. */
  readonly engines: () => Promise<Engines>;
  /** The folder with the engines' programs. */
  readonly programs: string;
  /** The program of a role process, and its arguments. */
  readonly command: readonly [string, ...string[]];
  readonly reaper: readonly [string, ...string[]];
  /** Prints a line for the operator. */
  readonly warn: (line: string) => void;
  readonly silenceMs?: number;
}

export interface PlannedProcess {
  /** Names its log, such as `api-1`. */
  readonly name: string;
  readonly roles: readonly Role[];
}

/** So many processes of each role. */
export const processesOfRoles = (numbers: Readonly<Record<Role, number>>): readonly PlannedProcess[] =>
  ROLES.flatMap((role) =>
    Array.from({ length: numbers[role] }, (_, index) => ({ name: `${role}-${index + 1}`, roles: [role] })),
  );

/** All processes of a cluster, on this machine. */
export interface LocalCluster {
  /** Of the front: `http://HOST:PORT`. */
  readonly listening: string;
  /** Resolves when every process is ready. */
  readonly ready: Promise<void>;
  /** Stops the load balancer, then the roles, then the engines. */
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 200;
/** Short, since failures of a process show quickly on one machine. */
const SESSION_SECONDS = '1.5';
/** How long requests in flight may take before their processes are stopped. */
const IN_FLIGHT_MS = 2000;

/**
 * @param signal aborts the start
 * @throws FolderInUse, EnginesMissing, ListenError; Error if an engine or a role cannot start
 */
export async function startLocalCluster(parts: LocalClusterParts, signal: AbortSignal): Promise<LocalCluster> {
  const closing = createClosing((error) => parts.warn(`not everything could be ended: ${(error as Error).message}`));
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  aborted.catch(() => {});
  try {
    signal.throwIfAborted();
    return await startAll(parts, closing, (work) => Promise.race([work, aborted]));
  } catch (error) {
    await closing.close();
    throw error;
  }
}

async function startAll(
  parts: LocalClusterParts,
  closing: Closing,
  unlessAborted: <T>(work: Promise<T>) => Promise<T>,
): Promise<LocalCluster> {
  const { folder, config, environment, programs, warn } = parts;
  const lock = lockFolder(folder, 'cluster');
  closing.add(lock.release);
  await unlessAborted(endOrphans(folder));
  const isOwn = (name: EngineName) => !environment[ENGINE_VARIABLES[name]]?.trim();
  const state = await firstState(parts, isOwn);
  const write = () => writePrivateJson(clusterFile(folder), state);
  closing.add(() => rmSync(clusterFile(folder), { force: true }));

  closing.level();
  const follow = following(folder, startProcessReaper(parts.reaper), write, closing);

  const backends = watchBackends(state.processes.flatMap(backendsOf));
  const front = await openFront(parts, backends, closing);
  const publicUrl = baseUrl(config, front.port);

  // Closed in this order: the load balancer, the roles, the engines.
  const own = state.engines.filter(({ name }) => isOwn(name));
  const engines = own.length > 0 ? await unlessAborted(parts.engines()) : undefined;
  const names = own.map(({ name }) => name);
  if (engines) await unlessAborted(fetchPrograms(engines, names, programs));
  closing.level();
  const addresses: Record<string, string> = {};
  const startEngine = async (entry: EngineEntry): Promise<void> => {
    const place = { folder: join(folder, 'engines'), programs, port: entry.port };
    const supervised = supervise({
      what: engineServer(engines![entry.name]!, place),
      warn,
      onPid: follow('engine', entry),
    });
    closing.add(supervised.stop);
    const { url } = await supervised.first;
    addresses[ENGINE_VARIABLES[entry.name]] = url;
    entry.url = redactAddress(url);
  };
  await unlessAborted(Promise.all(own.map(startEngine)));
  write();

  closing.level();
  closing.add(front.cut);
  closing.level();
  const logs = join(folder, 'logs');
  mkdirSync(logs, { recursive: true, mode: 0o700 });
  const secrets = {
    KEY_PEPPER: loadOrCreateSecret(folder, 'key-pepper', config.keyPepper),
    SESSION_SECRET: loadOrCreateSecret(folder, 'session-secret', config.sessionSecret),
  };
  for (const name of elsewhere(state.engines, isOwn)) addresses[name] = environment[name]!.trim();
  const shared = { ...addresses, ...secrets, BASE_URL: publicUrl };
  const common = {
    GROUP_SESSION_SECONDS: SESSION_SECONDS,
    ...environment,
    ...shared,
    HOST: '127.0.0.1',
    METRICS_PORT: undefined,
    DATA_DIR: undefined,
    // The load balancer forwards the client's address.
    TRUST_PROXY: '127.0.0.0/8',
  };
  const control = await openClusterControl(folder, shared, (error) =>
    warn(`a command could not be answered: ${(error as Error).message}`),
  );
  closing.add(control.close);
  const startRole = async (entry: RoleEntry): Promise<void> => {
    const environment = { ...common, ROLES: entry.roles.join(','), PORT: String(entry.port) };
    const { name } = entry;
    const what = roleProcess({ name, command: parts.command, environment, log: join(logs, `${name}.log`) });
    const supervised = supervise({ what, warn, onPid: follow('role', entry) });
    closing.add(supervised.stop);
    await supervised.first;
  };
  await unlessAborted(Promise.all(state.processes.map(startRole)));

  closing.level();
  closing.add(front.leave);
  await unlessAborted(backends.answered);
  const stopping = new AbortController();
  closing.add(() => stopping.abort());
  const ready = allReady(state.processes, stopping.signal);
  // No need to wait for it.
  ready.catch(() => {});
  return { listening: listenUrl(config, front.port), ready, stop: closing.close };
}

/** Keeps the cluster file, the process reaper and the list of started processes up to date with a process. */
function following(folder: string, keeper: ProcessReaper, write: () => void, closing: Closing) {
  const started = recordStarted(folder);
  closing.add(keeper.close);
  return (kind: ProcessKind, entry: { pid: number | null }) =>
    (pid?: number): void => {
      if (entry.pid === (pid ?? null)) return;
      if (entry.pid !== null) {
        keeper.ended(kind, entry.pid);
        started.remove(entry.pid);
      }
      entry.pid = pid ?? null;
      if (pid !== undefined) {
        keeper.started(kind, pid);
        started.add(pid);
      }
      write();
    };
}

/** The load balancer listens before anything else starts, so a taken address shows at once. */
async function openFront(
  { config, silenceMs }: Pick<LocalClusterParts, 'config' | 'silenceMs'>,
  backends: Backends,
  closing: Closing,
) {
  const address = { port: config.port };
  const publicUrl = () => baseUrl(config, address.port);
  const newRequestId = createRequestIds();
  const responder = createResponder({ baseUrl: publicUrl, newRequestId, log: { error() {} } });
  const { trustProxy } = config;
  const front = createLoadBalancer({
    backends,
    responder,
    trustProxy,
    ...(silenceMs === undefined ? {} : { silenceMs }),
  });
  // Each request uses two connections: the client's and one to a process.
  const connections = Math.floor(connectionsOf(descriptorLimit()) / 2);
  const server = createHttpServer(front.listener, publicUrl, newRequestId, { connections });
  closing.add(() => {
    backends.close();
    front.close();
    server.closeAllConnections();
    server.close();
  });
  address.port = await listen(server, config);
  return {
    port: address.port,
    /** Accepts no more connections, and lets requests in flight end. */
    async leave(): Promise<void> {
      const late = new AbortController();
      await Promise.race([stopListening(server), setTimeout(IN_FLIGHT_MS, undefined, late)]);
      late.abort();
    },
    cut(): void {
      server.closeAllConnections();
    },
  };
}

interface RoleEntry extends PlannedProcess {
  pid: number | null;
  readonly port: number;
}

interface EngineEntry {
  readonly name: EngineName;
  url: string;
  pid: number | null;
  readonly port: number;
}

/** Plans processes and ports. Nothing runs yet. */
async function firstState(
  { processes: planned, environment, config }: Pick<LocalClusterParts, 'processes' | 'environment' | 'config'>,
  isOwn: (name: EngineName) => boolean,
) {
  const taken = new Set([config.port]);
  const nextPort = async (): Promise<number> => {
    const port = await freePort();
    if (taken.has(port)) return nextPort();
    taken.add(port);
    return port;
  };
  const processes: RoleEntry[] = [];
  for (const one of planned) processes.push({ ...one, pid: null, port: await nextPort() });
  const engines: EngineEntry[] = [];
  for (const name of ENGINE_NAMES) {
    const url = redactAddress(environment[ENGINE_VARIABLES[name]]?.trim() ?? '');
    engines.push({ name, url, pid: null, port: isOwn(name) ? await nextPort() : 0 });
  }
  return {
    processes,
    engines,
    toJSON: (): ClusterState => ({
      processes: processes.flatMap(({ roles, pid, port }) => roles.map((role) => ({ role, pid, port }))),
      engines: engines.map(({ name, url, pid }) => ({ name, url, pid })),
    }),
  };
}

/** The variables of engines that run elsewhere. */
const elsewhere = (engines: readonly EngineEntry[], isOwn: (name: EngineName) => boolean) =>
  engines.filter(({ name }) => !isOwn(name)).map(({ name }) => ENGINE_VARIABLES[name]);

const backendsOf = ({ roles, port }: RoleEntry): Backend[] =>
  roles.flatMap((role) => (role === 'api' || role === 'ingest' ? [{ role, port }] : []));

/** Resolves when every process is ready. Rejects when the wait is aborted. */
async function allReady(processes: readonly RoleEntry[], signal: AbortSignal): Promise<void> {
  const isReady = async ({ port }: RoleEntry): Promise<boolean> => {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal }).catch(() => undefined);
    await answer?.arrayBuffer();
    return answer?.status === 200;
  };
  for (const one of processes) while (!(await isReady(one))) await setTimeout(LOOK_EVERY_MS, undefined, { signal });
}

export interface RoleCommand {
  /** The name of the process, such as `api-1`. */
  readonly name: string;
  /** The program and its arguments. */
  readonly command: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Its output is appended to this file. */
  readonly log: string;
}

/** A server finishes requests in flight within nine seconds. */
const KILL_AFTER_MS = 10_000;

/** A role process. It has a process group of its own, so that Ctrl-C does not reach it. */
export const roleProcess = ({ name, command, environment, log }: RoleCommand): Startable<Running> => ({
  name,
  async start(spawned) {
    const output = openSync(log, 'a', 0o600);
    const [program, ...rest] = command;
    const child = spawn(program, rest, {
      detached: true,
      stdio: ['ignore', output, output],
      env: environment,
    });
    closeSync(output);
    const ended = new Promise<string>((resolve) => {
      child.once('exit', (code, signal) => resolve(`${signal ?? `exit code ${code}`}; see ${log}`));
      child.once('error', (error) => resolve(error.message));
    });
    if (child.pid === undefined) throw new Error(await ended);
    spawned(child.pid);
    const signal = (which: NodeJS.Signals): void => {
      try {
        process.kill(-child.pid!, which);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    };
    return {
      ended,
      async stop() {
        signal('SIGTERM');
        const inTime = new AbortController();
        const late = setTimeout(KILL_AFTER_MS, undefined, { signal: inTime.signal });
        void late.then(
          () => signal('SIGKILL'),
          () => {},
        );
        await ended;
        inTime.abort();
      },
    };
  },
});
