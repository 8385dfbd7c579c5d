import { MINUTE } from '../../domain/primitives/time.ts';
import type { SetTimer } from '../../platform/async/timer.ts';
import type { WriteGate } from '../../platform/clock/write-gate.ts';
import type { LearntWeights } from '../../read-models/reference-weights/learnt-weights.ts';
import type { WeightLearner } from './weight-learner.ts';

export interface ReferenceWeightServiceParts {
  readonly learnt: Pick<LearntWeights, 'refresh'>;
  /** Absent: another process learns. */
  readonly learner?: WeightLearner;
  /** While it is closed, nothing is learnt. */
  readonly gate: Pick<WriteGate, 'isOpen'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly setTimer: SetTimer;
  readonly onError: (error: unknown) => void;
}

/** Keeps learnt weights up with the log, and learns those of a new month. It looks once a minute. */
export interface ReferenceWeightService {
  /** @param learns false: another process does */
  start(learns: boolean): void;
  /** Does at once what is due. Resolves when it is done. */
  check(learns?: boolean): Promise<void>;
  close(): Promise<void>;
}

export function createReferenceWeightService(parts: ReferenceWeightServiceParts): ReferenceWeightService {
  const { learnt, learner, gate, now, setTimer, onError } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> | undefined;
  let cancelTimer = (): void => {};

  async function runOnce(learns: boolean): Promise<void> {
    try {
      await learnt.refresh();
      if (learner && learns && gate.isOpen) await learner.learnDue(now(), signal);
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
  }

  function check(learns = true): Promise<void> {
    running ??= runOnce(learns).finally(() => {
      running = undefined;
    });
    return running;
  }

  function checkRegularly(learns: boolean): void {
    void check(learns).then(() => {
      if (!signal.aborted) cancelTimer = setTimer(() => checkRegularly(learns), MINUTE);
    });
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
