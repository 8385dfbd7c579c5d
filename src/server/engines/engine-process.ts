import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { EngineName, RunningEngine } from './engine.ts';

const LOG_FILE = 'engine.log';
const LOOK_EVERY_MS = 50;
const KILL_AFTER_MS = 10_000;
const LINES_TOLD = 20;

export interface EngineCommand {
  readonly name: EngineName;
  readonly url: string;
  readonly program: string;
  readonly arguments: readonly string[];
  /** Its output goes to a file in this folder. */
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** The user who runs it; absent: the user of this process. */
  readonly user?: { readonly uid: number; readonly gid: number };
  /** The signal that asks it to end; default SIGTERM. */
  readonly stopBy?: NodeJS.Signals;
  /** Whether it answers by now. An error counts as no. */
  readonly answers: () => Promise<boolean>;
  readonly withinMs?: number;
}

type OnSpawned = (engine: EngineName, pid: number) => void;
const listeners = new Set<OnSpawned>();

/** Calls back for each process as soon as it has an id. @returns stops listening */
export function onEngineSpawned(listener: OnSpawned): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Starts a server in a process group of its own. Resolves when it answers. */
export async function startProcess(command: EngineCommand): Promise<RunningEngine> {
  const { name, url, program, folder, user, answers, withinMs = 60_000, stopBy = 'SIGTERM' } = command;
  await mkdir(folder, { recursive: true });
  const log = join(folder, LOG_FILE);
  const output = openSync(log, 'a', 0o600);
  const child = spawn(program, command.arguments, {
    cwd: folder,
    detached: true,
    stdio: ['ignore', output, output],
    env: { ...process.env, ...command.environment },
    ...user,
  });
  closeSync(output);
  if (child.pid !== undefined) for (const listener of listeners) listener(name, child.pid);
  const ended = endOf(child);
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  const deadline = performance.now() + withinMs;
  while (!(await answers().catch(() => false))) {
    if (!hasEnded && performance.now() < deadline) {
      await Promise.race([setTimeout(LOOK_EVERY_MS), ended]);
      continue;
    }
    signalGroup(child, 'SIGKILL');
    const why = hasEnded ? 'ended before it answered' : `did not answer within ${withinMs} ms`;
    throw new Error(`${name}: ${program} ${why}\n${await lastLines(log)}`);
  }
  return {
    name,
    url,
    ended,
    pid: child.pid!,
    async stop() {
      signalGroup(child, stopBy);
      const late = new AbortController();
      const killing = setTimeout(KILL_AFTER_MS, undefined, { signal: late.signal }).then(
        () => signalGroup(child, 'SIGKILL'),
        () => {},
      );
      await ended;
      late.abort();
      await killing;
    },
  };
}

function endOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
}

/** Signals all processes of the group, unless it has ended. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function lastLines(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.trimEnd().split('\n').slice(-LINES_TOLD).join('\n');
}
