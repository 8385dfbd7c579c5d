import type { Intake } from './intake.ts';

/**
 * Wraps the intake that all entry points share. `ended` resolves when all calls have ended that are under way when it is
 * called: a long one comes into the log in many parts.
 */
export function withCallsUnderWay(intake: Intake): { readonly intake: Intake; readonly ended: () => Promise<unknown> } {
  const underWay = new Set<Promise<unknown>>();
  return {
    ended: () => Promise.allSettled(underWay),
    intake: {
      async accept(items) {
        const call = intake.accept(items);
        underWay.add(call);
        try {
          return await call;
        } finally {
          underWay.delete(call);
        }
      },
    },
  };
}
