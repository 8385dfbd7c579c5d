import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { RunningEngine } from '../../../src/server/engines/engine.ts';
import type { DoubleControl } from '../../../src/server/engines/event-log-double/double-control.ts';
import type { DoubleKind } from '../../../src/server/engines/event-log-double/double-kind.ts';
import { eventLogDouble } from '../../../src/server/engines/event-log-double.ts';
import { freePort } from '../../../src/server/engines/free-port.ts';

const fromHere = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export interface StartedDouble {
  readonly url: string;
  readonly port: number;
  /** Of the process that runs now. */
  readonly pid: number;
  /** What is to go wrong from now on, and nothing else; the double knows when it takes its next call. */
  control(control: Omit<DoubleControl, 'log'>): void;
  /** Forgets everything, when it takes its next call. */
  forget(): void;
  /** Kills it where it stands, and starts it again at the same port and with the same data. */
  killAndRestart(): Promise<void>;
  kill(): Promise<void>;
  /** What its process has printed. */
  output(): string;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** The double of EventStoreDB's protocol, in a process and a folder of its own. @param kind the version whose behaviour it has */
export async function startDoubleProcess(kind: DoubleKind = '24.6'): Promise<StartedDouble> {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerline-event-log-'));
  const program = await buildDouble(folder);
  const data = join(folder, 'data');
  mkdirSync(data);
  const file = join(folder, 'control.json');
  const engine = eventLogDouble(program, { EVENT_LOG_DOUBLE_CONTROL: file }, kind);
  const port = await freePort();
  const start = () => engine.start({ folder: data, port, programs: folder });
  writeFileSync(file, JSON.stringify({ log: 0, notReadyMs: 0 }));
  let running: RunningEngine = await start();
  let log = 0;
  let changes = 0;
  /** Tests begin with an engine that is ready. After a restart they meet one that is not ready at once. */
  let readiness: DoubleControl = { notReadyMs: 0 };

  let last: DoubleControl = {};

  function tell(control: DoubleControl): void {
    last = control;
    const next = `${file}.next`;
    writeFileSync(next, JSON.stringify({ ...readiness, ...control, log, change: changes++ }));
    renameSync(next, file);
  }

  async function kill(): Promise<void> {
    process.kill(running.pid, 'SIGKILL');
    await running.ended;
  }

  async function restart(): Promise<void> {
    readiness = {};
    tell(last);
    running = await start();
  }

  return {
    url: running.url,
    port,
    get pid() {
      return running.pid;
    },
    control: tell,
    forget() {
      log++;
      tell({});
    },
    kill,
    output: () => readFileSync(join(data, 'engine.log'), 'utf8'),
    restart,
    async killAndRestart() {
      await kill();
      await restart();
    },
    async stop() {
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function buildDouble(folder: string): Promise<string> {
  symlinkSync(fromHere('../../../node_modules'), join(folder, 'node_modules'));
  const program = join(folder, 'double-process.mjs');
  await build({
    entryPoints: [fromHere('../../../src/server/engines/event-log-double/double-process.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  });
  return program;
}
