import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { knownFlags } from '../src/server/bin/server-flags.mjs';
import { type Launched, launch } from './launched.ts';
import { usageOf } from './process-usage.ts';

/** The flags of `npm start`. The launcher sets what is to be set beside. */
export const START_FLAGS = knownFlags(process.allowedNodeEnvironmentFlags);

/** The operator's own key: no limit holds it back, and nothing is metered. */
const KEY = `llk_${'B'.repeat(12)}.${'b'.repeat(43)}`;
const INGEST_KEY = 'the-ingest-key-of-the-benchmark';

/** A process under measurement, the server or a floor. */
export interface Measurable {
  readonly pid: number;
  readonly port: number;
  /** Microseconds of processor time that it has used so far. */
  cpu(): Promise<number>;
  /** Bytes that it has of its own in memory. */
  memory(): Promise<number>;
  stop(): Promise<void>;
}

export interface Server extends Measurable {
  readonly folder: string;
  readonly key: string;
  readonly ingestKey: string;
}

/**
 * Starts what `npm start` starts, and waits until all of the folder's log can be read.
 * @param launched its flags are those of `npm start` unless told
 * @param command `cluster`: all processes of one on this machine; what is measured of memory and processor is its command
 * @throws Error with what it logged, when it ends before
 */
export async function startServer(
  { folder, settings = {}, flags = START_FLAGS }: Launched,
  command: 'start' | 'cluster' = 'start',
): Promise<Server> {
  const all = { FEEDS: 'none', HOST: '127.0.0.1', PORT: '0', BOOTSTRAP_KEY: KEY, INGEST_KEY, ...settings };
  const logFile = `${folder}.log`;
  const log = openSync(logFile, 'a');
  // Such as --cpu-prof.
  const more = process.env['BENCH_CHILD_ARGS']?.split(' ') ?? [];
  const child = launch(command, [], { folder, settings: all, flags: [...flags, ...more] }, ['ignore', 'pipe', log]);
  closeSync(log);
  const ended = once(child, 'exit');
  let port: number | undefined;
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) =>
      reject(new Error(`the server ended with ${code}: ${readFileSync(logFile, 'utf8').slice(-2000)}`)),
    );
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const listening = /^listening on \S+:(\d+)/.exec(line);
      if (listening) port = Number(listening[1]);
      if (line === 'ready') resolve();
    });
  });
  if (port === undefined) throw new Error('the server is ready, and listens nowhere');
  return {
    pid: child.pid!,
    port,
    folder,
    key: KEY,
    ingestKey: INGEST_KEY,
    cpu: async () => usageOf(child.pid!).cpu,
    memory: async () => usageOf(child.pid!).memory,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      const [code] = await ended;
      if (code !== 0) throw new Error(`the server ended with ${code}: ${readFileSync(logFile, 'utf8').slice(-2000)}`);
    },
  };
}
