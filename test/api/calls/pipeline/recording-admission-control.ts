import {
  type AdmissionControl,
  type Call,
  freeReservation,
  type Reservation,
} from '../../../../src/api/calls/pipeline/admission.ts';
import type { AdmittedCall, CallOutcome, IncomingCall, Pipeline } from '../../../../src/api/calls/pipeline/pipeline.ts';
import type { SharedLimit } from '../../../../src/api/limits/limits.ts';
import { type Awaitable, mapAwaitable } from '../../../../src/platform/async/awaitable.ts';

type Release = () => void;

/** The stages one by one, for tests that watch each of them, or make one refuse. */
export interface StageSteps {
  rateLimit(call: Call): Awaitable<void>;
  /** Takes a place in flight. */
  enter(call: Call): Awaitable<Release>;
  /** Takes a place among the open streams. */
  openStream(call: Call): Awaitable<Release>;
  sharedLimit(call: Call, sharedLimit: SharedLimit): Awaitable<Release>;
  reserve(call: Call, most: number): Awaitable<Reservation>;
}

const nothing = (): void => {};

/** Lets everything pass that no step refuses. */
export function stagesInSteps(given: Partial<StageSteps>): AdmissionControl {
  const steps: StageSteps = {
    rateLimit: nothing,
    enter: () => nothing,
    openStream: () => nothing,
    sharedLimit: () => nothing,
    reserve: () => freeReservation,
    ...given,
  };
  return {
    reserveSlot: () => () => {},
    countMessage: () => undefined,
    admit: (call, kind) =>
      mapAwaitable(steps.rateLimit(call), () =>
        mapAwaitable(kind === 'stream' ? steps.openStream(call) : steps.enter(call), (leave) => {
          const releases = [leave];
          return {
            enterSharedLimit: (sharedLimit) =>
              mapAwaitable(steps.sharedLimit(call, sharedLimit), (release) => void releases.push(release)),
            reserveCredits: (most) => steps.reserve(call, most),
            uncount: nothing,
            release: () => {
              for (const release of releases) release();
            },
          };
        }),
      ),
    finish: nothing,
  };
}

/** What the work of a call comes to. Rejects with what the call was refused with. */
export async function resultWithin<T>(
  pipeline: Pipeline,
  arrival: IncomingCall,
  work: (open: AdmittedCall) => Promise<T>,
): Promise<T> {
  type Result = CallOutcome & ({ readonly value: T } | { readonly error: unknown });
  const result = await pipeline.handleCall<Result>(
    arrival,
    async (open) => ({ statusCode: 200, value: await work(open) }),
    (error) => ({ statusCode: 500, error }),
  );
  if ('error' in result) throw result.error;
  return result.value;
}
