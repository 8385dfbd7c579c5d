import type { PartitionPositions, Position } from '../../domain/event-sourcing/position.ts';

/** How far a reader of a feed has come. */
export type FeedPosition = Position | null | PartitionPositions;

interface Waiter {
  readonly position: FeedPosition;
  readonly isPatient: boolean;
  readonly resolve: () => void;
}

/** Callers that wait until everything up to a position is learned. */
export class LearnedWaiters {
  readonly #waiters = new Set<Waiter>();

  /** Whether a caller waits for which other calls need not go first. */
  get hasImpatient(): boolean {
    return [...this.#waiters].some(({ isPatient }) => !isPatient);
  }

  /** Resolves after `resolve` has found the position reached. @throws the signal's reason */
  wait(position: FeedPosition, isPatient: boolean, aborted?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      aborted?.throwIfAborted();
      const abort = () => this.#waiters.delete(waiter) && reject(aborted!.reason);
      const waiter = {
        position,
        isPatient,
        resolve: () => {
          aborted?.removeEventListener('abort', abort);
          resolve();
        },
      };
      this.#waiters.add(waiter);
      aborted?.addEventListener('abort', abort, { once: true });
    });
  }

  /** Resolves those that wait for a position that is reached. */
  resolve(isReached: (position: FeedPosition) => boolean): void {
    for (const waiter of this.#waiters) {
      if (!isReached(waiter.position)) continue;
      this.#waiters.delete(waiter);
      waiter.resolve();
    }
  }
}
