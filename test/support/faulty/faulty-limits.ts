import type { CallLease, LimitDecision, Limits } from '../../../src/api/limits/limits.ts';
import { AnswerLost, type FaultyNetwork } from './faulty-network.ts';

/** Limits behind a way that takes its time. What a lost answer would leave behind is given back, as the port asks. */
export interface FaultyLimits extends Limits {
  /** Resolves when everything that nobody waits for has arrived. */
  settled(): Promise<void>;
}

export function createFaultyLimits(inner: Limits, far: FaultyNetwork): FaultyLimits {
  const underWay = new Set<Promise<void>>();

  /** Repeated until it has arrived: who does it twice does no harm. */
  async function surely<T>(name: string, effect: () => T | Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await far.call(name, async () => effect());
      } catch (error) {
        if (!(error instanceof AnswerLost)) throw error;
      }
    }
  }

  function unawaited(work: Promise<unknown>): void {
    const done: Promise<void> = work.then(() => void underWay.delete(done));
    underWay.add(done);
  }

  const farLease = (lease: CallLease): CallLease => ({
    release: () => unawaited(surely('release', () => lease.release())),
    uncount: () => surely('uncount', () => lease.uncount()),
  });

  return {
    async admit(ask) {
      let given: LimitDecision | undefined;
      try {
        const verdict = await far.call('admit', async () => {
          given = await inner.admit(ask);
          return given;
        });
        return verdict.admitted ? { ...verdict, lease: farLease(verdict.lease) } : verdict;
      } catch (error) {
        // It took effect, and nobody knows of it.
        if (given?.admitted) {
          const { lease } = given;
          unawaited(surely('release', () => lease.release()).then(() => surely('uncount', () => lease.uncount())));
        }
        throw error;
      }
    },
    inherit: (inheritance) => surely('inherit', () => inner.inherit(inheritance)),
    renew: () => surely('renew', () => inner.renew()),
    async settled() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
