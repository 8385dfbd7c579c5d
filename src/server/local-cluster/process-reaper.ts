import { type ChildProcess, spawn } from 'node:child_process';

export type ProcessKind = 'role' | 'engine';

/** Ends the processes it knows of when this process is gone, however it ended. */
export interface ProcessReaper {
  started(kind: ProcessKind, pid: number): void;
  ended(kind: ProcessKind, pid: number): void;
  /** Ends the reaper, and with it every process that it still knows of. */
  close(): Promise<void>;
}

const AGAIN_MS = 500;

/** Starts the reaper, and restarts it whenever it ends. @param command the program and its arguments */
export function startProcessReaper([program, ...rest]: readonly [string, ...string[]]): ProcessReaper {
  const known = new Map<number, ProcessKind>();
  let isClosing = false;
  let child = start();

  function start(): ChildProcess {
    const started = spawn(program, rest, { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    started.stdin!.on('error', () => {});
    started.once('error', () => {});
    started.once('close', () => {
      if (!isClosing) setTimeout(again, AGAIN_MS);
    });
    return started;
  }

  function again(): void {
    if (isClosing) return;
    child = start();
    for (const [pid, kind] of known) tell('began', kind, pid);
  }

  const tell = (what: 'began' | 'ended', kind: ProcessKind, pid: number) =>
    void child.stdin!.write(`${what} ${kind} ${pid}\n`);

  return {
    started(kind, pid) {
      known.set(pid, kind);
      tell('began', kind, pid);
    },
    ended(kind, pid) {
      if (known.delete(pid)) tell('ended', kind, pid);
    },
    async close() {
      isClosing = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
      child.stdin!.end();
      await closed;
    },
  };
}
