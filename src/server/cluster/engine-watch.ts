import { type SetTimer, withTimeout } from '../../platform/async/timer.ts';
import type { EngineName } from '../../platform/settings/engine-settings.ts';
import type { ServerLog } from '../composition/environment.ts';

/** An engine that can be pinged. */
export interface Pingable {
  /** Rejects if the engine is unavailable. */
  ping(): Promise<void>;
}

interface EngineWatchParts {
  readonly engines: ReadonlyMap<EngineName, Pingable>;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  readonly setTimer: SetTimer;
  readonly logger: Pick<ServerLog, 'info' | 'warn'>;
}

/** Knows which engines are unavailable. */
export interface EngineWatch {
  /** The engines that did not answer the last ping; at first all. */
  unavailable(): EngineName[];
  /** Resolves when all engines are available at the same time. Rejects when the watch is closed, and if an engine holds
   *  data of a newer program. */
  allThere(): Promise<void>;
  close(): void;
}

const ASK_EVERY_MS = 2000;
/** The same while one is unavailable. */
const ASK_AGAIN_MS = 1000;
/** Longer than the adapters' own timeouts. */
const ANSWER_WITHIN_MS = 5000;
const TELL_EVERY_MS = 60_000;
const TOO_NEW = 'registry_too_new';

/** Pings an engine once. Rejects if it is unavailable, or does not answer within five seconds. */
export const pingInTime = (engine: Pingable, setTimer: SetTimer): Promise<void> =>
  withTimeout(setTimer, ANSWER_WITHIN_MS, engine.ping(), () => new Error('it does not answer'));

/**
 * Pings each engine every two seconds, and every second while one is unavailable. Logs an unavailable engine once, and
 * then every minute. Calls do not wait for this: each notices by itself that its engine does not answer.
 */
export function watchEngines({ engines, now, setTimer, logger }: EngineWatchParts): EngineWatch {
  const there = new Set<EngineName>();
  const waiting = new Set<{ resolve(): void; reject(reason: Error): void }>();
  const cancels = new Set<() => void>();
  /** When unavailable engines were last logged. */
  let toldAt: number | undefined;
  let isClosed = false;

  const unavailable = (): EngineName[] => [...engines.keys()].filter((name) => !there.has(name));

  function timer(callback: () => void, milliseconds: number): () => void {
    const cancel = setTimer(() => {
      cancels.delete(cancel);
      callback();
    }, milliseconds);
    cancels.add(cancel);
    return () => {
      cancels.delete(cancel);
      cancel();
    };
  }

  async function ask(name: EngineName, engine: Pingable): Promise<readonly [EngineName, string] | undefined> {
    try {
      await pingInTime(engine, timer);
      there.add(name);
      if (unavailable().length === 0) {
        for (const one of waiting) one.resolve();
        waiting.clear();
      }
      return undefined;
    } catch (error) {
      there.delete(name);
      // Waiting does not help: the engine holds data of a newer program.
      if ((error as { readonly code?: unknown }).code === TOO_NEW) endWaiting(error as Error);
      return [name, (error as Error).message];
    }
  }

  function endWaiting(reason: Error): void {
    for (const one of waiting) one.reject(reason);
    waiting.clear();
  }

  async function look(): Promise<void> {
    const failures = (await Promise.all([...engines].map(([name, engine]) => ask(name, engine)))).filter(
      (failure) => failure !== undefined,
    );
    if (isClosed) return;
    tell(failures);
    timer(() => void look(), failures.length > 0 ? ASK_AGAIN_MS : ASK_EVERY_MS);
  }

  function tell(failures: readonly (readonly [EngineName, string])[]): void {
    const names = failures.map(([name]) => name);
    if (names.length === 0) {
      if (toldAt !== undefined) logger.info({}, 'every engine is there again');
      toldAt = undefined;
    } else if (toldAt === undefined || now() - toldAt >= TELL_EVERY_MS) {
      toldAt = now();
      logger.warn({ waiting_for: names, why: Object.fromEntries(failures) }, `waiting for ${names.join(', ')}`);
    }
  }

  void look();
  return {
    unavailable,
    async allThere() {
      if (unavailable().length > 0) await new Promise<void>((resolve, reject) => waiting.add({ resolve, reject }));
    },
    close() {
      isClosed = true;
      for (const cancel of cancels) cancel();
      endWaiting(new Error('the process stops'));
    },
  };
}
