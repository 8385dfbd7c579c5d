import { UnavailableError } from '../../../domain/primitives/domain-errors.ts';
import { type EventLog, requireAllAppended, type StreamAppend } from '../../../event-log/port/event-log.ts';
import { pauseFor, type SetTimer, withTimeout } from '../../../platform/async/timer.ts';
import type { LedgerSink } from '../ledger-writer.ts';

/** A charge took longer than its lease, so other calls may have its credits by now. None of its records was sent. */
export class ChargeLeaseExpired extends UnavailableError {
  constructor() {
    super('a charge took longer than credits are held back for it', 1);
    this.name = 'ChargeLapsed';
  }
}

/** It is unknown whether the log has accepted these records. */
export class ChargesInDoubt extends UnavailableError {
  readonly recordIds: ReadonlySet<string>;
  constructor(appends: readonly StreamAppend[], cause: unknown) {
    super('the event log did not answer whether it has taken a charge', 1, { cause });
    this.name = 'ChargesInDoubt';
    this.recordIds = new Set(appends.flatMap(({ events }) => events.map(({ meta }) => meta.id!)));
  }
}

interface BoundedLogSinkParts {
  readonly log: Pick<EventLog, 'appendAll'>;
  readonly isUnclear: (error: unknown) => boolean;
  /** Whether the leases of this account's charges are still valid. */
  readonly areChargesFresh: (accountId: number) => boolean;
  readonly steadyNow: () => number;
  readonly setTimer: SetTimer;
  /** Called after a failure that is retried. */
  readonly onTrouble: (error: unknown) => void;
}

export interface BoundedLogSink extends LedgerSink {
  /** Fails fast if an append has just timed out. @throws UnavailableError */
  assertAnswering(): void;
}

/** How long an append is retried, and how long the log is then left alone, in milliseconds. */
const RETRY_FOR = 3000;
const PAUSE_AFTER_TIMEOUT = 1000;
/** The delays between attempts, in milliseconds. */
const RETRY_DELAYS = [20, 100, 500, 1000];

/** The log as a sink for charges whose credits Redis holds. An append ends in bounded time. */
export function createBoundedLogSink(parts: BoundedLogSinkParts): BoundedLogSink {
  const { log, isUnclear, areChargesFresh, steadyNow, setTimer, onTrouble } = parts;
  let silentUntil = Number.NEGATIVE_INFINITY;

  const late = () => new UnavailableError('the event log took too long', 1);

  function assertAnswering(): void {
    if (steadyNow() < silentUntil) throw new UnavailableError('the event log does not answer', 1);
  }

  return {
    assertAnswering,
    async appendAll(appends) {
      // An append that waited in vain for the one before it must not wait as long again.
      assertAnswering();
      const began = steadyNow();
      for (let attempts = 0; ; attempts++) {
        const areFresh = appends.every(({ events }) =>
          areChargesFresh((events[0]!.data as { accountId: number }).accountId),
        );
        if (!areFresh && attempts === 0) throw new ChargeLeaseExpired();
        try {
          if (!areFresh) throw new UnavailableError('a charge took too long');
          const left = Math.max(1, began + RETRY_FOR - steadyNow());
          await withTimeout(setTimer, left, log.appendAll(appends).then(requireAllAppended), late);
          silentUntil = Number.NEGATIVE_INFINITY;
          return;
        } catch (error) {
          // After an attempt with unknown outcome a later refusal does not tell whether the first attempt succeeded.
          if (attempts === 0 && !isUnclear(error)) throw error;
          onTrouble(error);
          const pause = RETRY_DELAYS[Math.min(attempts, RETRY_DELAYS.length - 1)]!;
          if (!areFresh || steadyNow() + pause >= began + RETRY_FOR) {
            silentUntil = steadyNow() + PAUSE_AFTER_TIMEOUT;
            throw new ChargesInDoubt(appends, error);
          }
          await pauseFor(setTimer, pause);
        }
      }
    },
  };
}
