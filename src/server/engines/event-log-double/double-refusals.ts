import type { Metadata } from '@grpc/grpc-js';
import type { ControlReader } from './double-control.ts';
import { accessDenied, type EngineError, notLeader, notReady, unauthenticated } from './double-errors.ts';

interface CallToRefuse {
  readonly metadata: Metadata;
}

/** What a call is refused for before it is looked at. */
export interface DoubleRefusals {
  /** @param isOfAll whether it reads the whole log */
  ofUser(isOfAll: boolean): EngineError | undefined;
  ofNode(call: CallToRefuse): EngineError | undefined;
  notReady(): EngineError | undefined;
}

/** How long the engine refuses every call after its start, in milliseconds. Seconds pass in the real one. */
const NOT_READY_MS = 500;

export function createDoubleRefusals(control: ControlReader): DoubleRefusals {
  const startedAt = performance.now();
  return {
    ofUser(isOfAll) {
      const { denies } = control.current;
      if (denies === 'password') return unauthenticated;
      return denies === 'user' || (denies === 'all' && isOfAll) ? accessDenied : undefined;
    },
    ofNode({ metadata }) {
      if (metadata.get('requires-leader')[0] !== 'true' || !control.happens('notLeader')) return undefined;
      return notLeader(control.current.notLeader!);
    },
    notReady() {
      const { notReadyMs = NOT_READY_MS } = control.current;
      return performance.now() - startedAt < notReadyMs ? notReady : undefined;
    },
  };
}
