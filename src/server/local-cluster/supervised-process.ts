import { setTimeout } from 'node:timers/promises';

/** A running process. */
export interface Running {
  /** Resolves when it has ended, for any reason; with a text if the reason is known. */
  readonly ended: Promise<unknown>;
  /** Asks it to end, and resolves when it has ended. */
  stop(): Promise<void>;
}

/** A program that can be started repeatedly. */
export interface Startable<Run extends Running> {
  readonly name: string;
  /** @param spawned called with the process id as soon as it exists. Rejects when it cannot run. */
  start(spawned: (pid: number) => void): Promise<Run>;
}

interface SupervisedParts<Run extends Running> {
  readonly what: Startable<Run>;
  /** Called with the new process id after each start; undefined: no process runs. */
  readonly onPid: (pid: number | undefined) => void;
  /** Prints a line for the operator. */
  readonly warn: (line: string) => void;
  readonly againMs?: number;
}

interface Supervised<Run extends Running> {
  /** The first run. Rejects if the first start fails; then there is no restart. */
  readonly first: Promise<Run>;
  /** Stops it without restart. */
  stop(): Promise<void>;
}

const AGAIN_MS = 2000;
/** A process that lived this long did not crash at its start. */
const LONG_MS = 5000;

/**
 * Keeps a process running. Restarts it at once when it ends. If it crashes at its start, restarts it every two seconds and
 * prints one line.
 */
export function supervise<Run extends Running>({
  what,
  onPid,
  warn,
  againMs = AGAIN_MS,
}: SupervisedParts<Run>): Supervised<Run> {
  const stopping = new AbortController();
  let running: Run | undefined;
  /** The id of the process that starts or runs. */
  let pid: number | undefined;
  let begunAt = 0;

  function nowIs(next: number | undefined): void {
    pid = next;
    onPid(next);
  }

  async function start(): Promise<Run> {
    begunAt = performance.now();
    running = await what.start(nowIs);
    // `stop` was called while it started.
    if (stopping.signal.aborted) await running.stop();
    return running;
  }

  const first = start();
  const kept = first.then(keep, () => nowIs(undefined));

  async function keep(run: Run): Promise<void> {
    let how = await run.ended;
    for (let deaths = 1, isTold = false; ; deaths++) {
      running = undefined;
      nowIs(undefined);
      if (stopping.signal.aborted) return;
      const lived = performance.now() - begunAt;
      if (lived >= LONG_MS) [deaths, isTold] = [1, false];
      if (deaths > 1) {
        if (!isTold)
          warn(
            `${what.name} ends as soon as it is started${typeof how === 'string' ? ` (${how})` : ''}; it is tried again`,
          );
        isTold = true;
        await setTimeout(Math.max(0, againMs - lived), undefined, { signal: stopping.signal }).catch(() => {});
        if (stopping.signal.aborted) return;
      }
      how = await start().then(
        ({ ended }) => ended,
        (error: Error) => error.message.split('\n')[0]!,
      );
    }
  }

  return {
    first,
    async stop() {
      stopping.abort();
      if (running) await running.stop();
      else if (pid !== undefined) endGroup(pid);
      await kept;
    },
  };
}

/** Ends a process that is still starting, and so has no `stop` yet. */
function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGTERM');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
