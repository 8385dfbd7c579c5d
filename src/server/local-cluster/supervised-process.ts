import { setTimeout } from 'node:timers/promises';

/** A process that runs. */
export interface Running {
  /** Resolves when it has ended, whoever ended it; with a text where it is known how. */
  readonly ended: Promise<unknown>;
  /** Asks it to end, and resolves when it has. */
  stop(): Promise<void>;
}

/** What can be started, again and again. */
export interface Startable<Run extends Running> {
  readonly name: string;
  /** @param spawned told the id of its process, before anybody waits for anything. Rejects when it does not run. */
  start(spawned: (pid: number) => void): Promise<Run>;
}

interface SupervisedParts<Run extends Running> {
  readonly what: Startable<Run>;
  /** Told whenever another process stands for it; undefined: none. */
  readonly onPid: (pid: number | undefined) => void;
  /** A line for the operator. */
  readonly warn: (line: string) => void;
  readonly againMs?: number;
}

interface Supervised<Run extends Running> {
  /** Its first run. Rejects when it could not be started; then nothing is tried again. */
  readonly first: Promise<Run>;
  /** Ends it for good. */
  stop(): Promise<void>;
}

const AGAIN_MS = 2000;
/** What has lived so long has not died at once. */
const LONG_MS = 5000;

/**
 * Keeps something running: what has ended is started again, at once; what dies at once again every two seconds, with one
 * line that says so.
 */
export function supervise<Run extends Running>({
  what,
  onPid,
  warn,
  againMs = AGAIN_MS,
}: SupervisedParts<Run>): Supervised<Run> {
  const stopping = new AbortController();
  let running: Run | undefined;
  /** Of the process that starts, or runs. */
  let pid: number | undefined;
  let begunAt = 0;

  function nowIs(next: number | undefined): void {
    pid = next;
    onPid(next);
  }

  async function start(): Promise<Run> {
    begunAt = performance.now();
    running = await what.start(nowIs);
    // It was asked to end while it started.
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

/** Of what does not answer yet, and so cannot be asked. */
function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGTERM');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
