import { toPosition } from '../../domain/event-sourcing/position.ts';
import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import type { ProjectionRunner } from '../../read-models/projector/projection-runner.ts';

const WITHIN_MS = 10_000;

/** Waits until the read models reflect a position of the log. */
interface ProjectionWait {
  /** Resolves when they reflect everything up to it. @throws UnavailableError after ten seconds */
  wait(position: bigint): Promise<void>;
  /** Rejects everybody who waits. */
  stop(): void;
}

export function createProjectionWait(runner: Pick<ProjectionRunner, 'waitFor'>): ProjectionWait {
  const stopping = new AbortController();
  return {
    async wait(position) {
      const options = { signal: stopping.signal, timeoutMs: WITHIN_MS };
      await runner.waitFor(toPosition(position), options).catch((cause: unknown) => {
        throw new UnavailableError('The read models are behind the log. Try again in a moment.', 5, { cause });
      });
    },
    stop: () => stopping.abort(new Error('the server stops')),
  };
}
