import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import type { AtWork, Told, Work } from './process-at-work.ts';

/** The program that other processes run, in one file. */
export interface Program {
  readonly file: string;
  remove(): void;
}

export async function buildProgram(): Promise<Program> {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerline-process-'));
  const file = join(folder, 'process-at-work.cjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'process-at-work.ts')],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile: file,
    logLevel: 'error',
  });
  return { file, remove: () => rmSync(folder, { recursive: true }) };
}

/** Another process, with limits and credits at a server, and the log of this one. */
export interface OtherProcess {
  readonly pid: number;
  /** Resolves with what it has told when it has done all of it, or has ended. */
  work(work: Work): Promise<readonly Told[]>;
  /** What it has told so far. */
  readonly told: readonly Told[];
  signal(signal: NodeJS.Signals): void;
  end(): Promise<void>;
}

export async function startOther(
  { file }: Program,
  at: AtWork,
  log: Pick<EventLog, 'appendAll' | 'readStream'>,
): Promise<OtherProcess> {
  const child = fork(file, [JSON.stringify(at)], { serialization: 'advanced', execArgv: [] });
  const told: Told[] = [];
  const ended = once(child, 'exit');
  let whenDone: (() => void) | undefined;
  child.on('message', (message: any) => {
    if (message.told) told.push(message.told);
    if (message.isDone) whenDone?.();
    if (!message.ask) return;
    const answer = (told: object) => child.connected && child.send({ answerTo: message.ask, ...told }, () => {});
    (log as any)[message.name](...message.given).then(
      (value: unknown) => answer({ value }),
      (error: Error) => answer({ error: { message: error.message, code: (error as { code?: string }).code } }),
    );
  });
  await new Promise<void>((resolve) => {
    child.once('message', () => resolve());
  });
  return {
    pid: child.pid!,
    told,
    async work(work) {
      const before = told.length;
      const done = new Promise<void>((resolve) => {
        whenDone = resolve;
      });
      child.send(work);
      await Promise.race([done, ended]);
      return told.slice(before);
    },
    signal: (signal) => void child.kill(signal),
    async end() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
