import { MINUTE } from '../../domain/primitives/time.ts';
import type { Seal } from '../../domain/proof/seal.ts';
import type { SetTimer } from '../../platform/async/timer.ts';
import type { WriteGate } from '../../platform/clock/write-gate.ts';
import type { ExperimentCloser } from '../experiments/experiment-closer.ts';
import type { ClosingRecorder } from './closing-recorder.ts';
import { type DaySealer, dayIsSealedAt } from './day-sealer.ts';

export interface SealServiceParts {
  readonly closings: ClosingRecorder;
  readonly experiments: ExperimentCloser;
  readonly sealer: DaySealer;
  /** Stamps a seal where the operator likes; absent: nowhere. A failure is told and tried again. */
  readonly stamp?: ((seal: Seal) => Promise<void>) | undefined;
  /** While it is closed, nothing is recorded. */
  readonly gate: Pick<WriteGate, 'isOpen'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly setTimer: SetTimer;
  readonly onError: (error: unknown, message: string) => void;
}

/**
 * Records closing prices and closes experiments, which is looked for every minute. Seals the days that are over when it
 * starts, and then each day at its end. Several may run on a log: whatever they
 * append expects the revision of its stream, so each fact is appended once.
 */
export interface SealService {
  start(): void;
  /** Does at once what is due. Resolves when it is done. */
  check(): Promise<void>;
  close(): Promise<void>;
}

const CHECK_EVERY = MINUTE;
/** A stamp that failed is tried again after ten minutes, for a day. Days that wait beyond that are not stamped. */
const STAMP_AGAIN_AFTER = 10 * MINUTE;
const MAX_STAMPS = 144;

interface WaitingStamp {
  readonly seal: Seal;
  dueAt: number;
  attempts: number;
}

export function createSealService(parts: SealServiceParts): SealService {
  const { closings, experiments, sealer, stamp, gate, now, setTimer, onError } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  let stamps: WaitingStamp[] = [];
  let running: Promise<void> | undefined;
  /** When there is a day to seal: at once, for those that ended while nothing ran. Milliseconds. */
  let sealDueAt = Number.NEGATIVE_INFINITY;
  let cancelTimer = (): void => {};

  /** Runs one part of the work. Its failure holds up no other part. */
  async function attempt(work: () => Promise<void>, message: string): Promise<void> {
    if (signal.aborted) return;
    try {
      await work();
    } catch (error) {
      if (!signal.aborted) onError(error, message);
    }
  }

  async function stampDue(): Promise<void> {
    for (const waiting of stamps.filter(({ dueAt }) => dueAt <= now())) {
      await attempt(async () => {
        waiting.attempts += 1;
        waiting.dueAt = now() + STAMP_AGAIN_AFTER;
        await stamp!(waiting.seal);
        waiting.attempts = Number.POSITIVE_INFINITY;
      }, `SEAL_COMMAND has failed for the seal of ${waiting.seal.date}; it is tried again`);
    }
    stamps = stamps.filter(({ attempts }) => attempts < MAX_STAMPS);
  }

  async function runOnce(): Promise<void> {
    if (!gate.isOpen) return;
    await attempt(() => closings.recordDue(now(), signal), 'closing prices could not be recorded; it is tried again');
    // Behind the closing prices: an experiment counts by them. Before the seal: a day holds what was closed on it.
    await attempt(() => experiments.closeDue(now(), signal), 'experiments could not be closed; it is tried again');
    if (now() >= sealDueAt) await attempt(sealDays, 'a day could not be sealed; it is tried again');
    await stampDue();
  }

  async function sealDays(): Promise<void> {
    const time = now();
    const sealed = await sealer.sealDue(time, signal);
    sealDueAt = dayIsSealedAt(time);
    if (stamp) stamps.push(...sealed.map((seal) => ({ seal, dueAt: now(), attempts: 0 })));
    stamps = stamps.slice(-MAX_STAMPS);
  }

  function check(): Promise<void> {
    running ??= runOnce().finally(() => {
      running = undefined;
    });
    return running;
  }

  function checkRegularly(): void {
    void check().then(() => {
      if (!signal.aborted) cancelTimer = setTimer(checkRegularly, nextWait());
    });
  }

  /** Until the next minute, or until the day can be sealed. What failed is tried again in a minute. */
  function nextWait(): number {
    const untilSeal = sealDueAt - now();
    return untilSeal > 0 ? Math.min(untilSeal, CHECK_EVERY) : CHECK_EVERY;
  }

  return {
    start: checkRegularly,
    check,
    async close() {
      stopping.abort(new Error('the server stops'));
      cancelTimer();
      await running;
    },
  };
}
