import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { Running, Startable } from './supervised.ts';

export interface RoleCommand {
  /** Of the process: `api-1`. */
  readonly name: string;
  /** The program and its arguments. */
  readonly command: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What it writes is added there. */
  readonly log: string;
}

/** A server that finishes what is in flight takes nine seconds at most. */
const KILL_AFTER_MS = 10_000;

/** A process that plays a role, in a group of its own, so that Ctrl-C does not reach it. */
export const roleProcess = ({ name, command, environment, log }: RoleCommand): Startable<Running> => ({
  name,
  async start(spawned) {
    const output = openSync(log, 'a', 0o600);
    const [program, ...rest] = command;
    const child = spawn(program, rest, {
      ...{ detached: true, stdio: ['ignore', output, output] },
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
