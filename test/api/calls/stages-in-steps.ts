import type { Arrival, Ended, OpenCall, Pipeline } from '../../../src/api/calls/pipeline.ts';
import { type Call, freeReservation, type Reservation, type Stages } from '../../../src/api/calls/stages.ts';
import type { Budget } from '../../../src/api/limits/limits.ts';
import { type Awaitable, whenThere } from '../../../src/platform/time/awaitable.ts';

type Release = () => void;

/** The stages one by one, for tests that watch each of them, or make one refuse. */
export interface StageSteps {
  rateLimit(call: Call): Awaitable<void>;
  /** Takes a place in flight. */
  enter(call: Call): Awaitable<Release>;
  /** Takes a place among the open streams. */
  openStream(call: Call): Awaitable<Release>;
  budget(call: Call, budget: Budget): Awaitable<Release>;
  reserve(call: Call, most: number): Awaitable<Reservation>;
}

const nothing = (): void => {};

/** Lets everything pass that no step refuses. */
export function stagesInSteps(given: Partial<StageSteps>): Stages {
  const steps: StageSteps = {
    rateLimit: nothing,
    enter: () => nothing,
    openStream: () => nothing,
    budget: () => nothing,
    reserve: () => freeReservation,
    ...given,
  };
  return {
    enter: () => () => {},
    admit: (call, kind) =>
      whenThere(steps.rateLimit(call), () =>
        whenThere(kind === 'stream' ? steps.openStream(call) : steps.enter(call), (leave) => {
          const releases = [leave];
          return {
            enterBudget: (budget) => whenThere(steps.budget(call, budget), (release) => void releases.push(release)),
            reserve: (most) => steps.reserve(call, most),
            uncount: nothing,
            release: () => {
              for (const release of releases) release();
            },
          };
        }),
      ),
    done: nothing,
  };
}

/** What the work of a call comes to. Rejects with what the call was refused with. */
export async function resultWithin<T>(
  pipeline: Pipeline,
  arrival: Arrival,
  work: (open: OpenCall) => Promise<T>,
): Promise<T> {
  type Result = Ended & ({ readonly value: T } | { readonly error: unknown });
  const result = await pipeline.within<Result>(
    arrival,
    async (open) => ({ statusCode: 200, value: await work(open) }),
    (error) => ({ statusCode: 500, error }),
  );
  if ('error' in result) throw result.error;
  return result.value;
}
