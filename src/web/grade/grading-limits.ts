import { ApiError } from '../../api/calls/api-errors.ts';
import type { RequestWindow } from '../../api/calls/pipeline/admission.ts';
import { AddressCounts } from '../../api/limits/address-windows.ts';
import { countedNetworksOf } from '../../platform/client-networks.ts';
import { GRADE_WINDOW_MS, type GradeCounter } from './grade-counter.ts';

/** Grades that one address gets in 24 hours, and how many at once. */
const MAX_GRADES = 20;
const MAX_CONCURRENT_GRADES = 3;

interface GradingLimitsParts {
  readonly grades: GradeCounter;
  /** Milliseconds. */
  readonly now: () => number;
  /** The hash under which a network is stored. */
  readonly hashAddress: (network: string) => string;
}

/** Limits grading without a key by address. */
interface GradingLimits {
  /** The present request window of an address. */
  requestWindow(address: string): Promise<RequestWindow>;
  /**
   * Runs `work` if the address has a free slot.
   * @throws ApiError rate_limit_exceeded, concurrency_limit_exceeded; and whatever `work` throws
   */
  withSlot<T>(address: string, requestWindow: RequestWindow, work: () => Promise<T>): Promise<T>;
  /**
   * Counts a grade if `work` succeeds; if it throws, nothing is counted.
   * @throws ApiError rate_limit_exceeded
   */
  countGrade<T>(address: string, work: () => Promise<T>): Promise<T>;
}

export function createGradingLimits({ grades, now, hashAddress }: GradingLimitsParts): GradingLimits {
  const running = new AddressCounts(MAX_CONCURRENT_GRADES);

  async function window(address: string): Promise<RequestWindow> {
    const at = now();
    const windows = await Promise.all(
      countedNetworksOf(address).map(async ({ network, times }) => {
        const { counted, firstAt } = await grades.countOf(hashAddress(network), at);
        const remaining = Math.max(0, MAX_GRADES * times - counted);
        return { limit: MAX_GRADES, remaining, resetAt: (firstAt ?? at) + GRADE_WINDOW_MS };
      }),
    );
    // What the address itself has left, unless one of its wider networks has less.
    return windows.reduce((least, one) => (one.remaining < least.remaining ? one : least));
  }

  /** Counts a grade for each network, or for none. @returns their ids; undefined if one of them is full */
  async function count(address: string): Promise<readonly number[] | undefined> {
    const counted: number[] = [];
    for (const { network, times } of countedNetworksOf(address)) {
      const grade = await grades.tryCount(hashAddress(network), MAX_GRADES * times, now());
      if (grade === undefined) {
        await uncount(counted);
        return undefined;
      }
      counted.push(grade);
    }
    return counted;
  }

  async function uncount(counted: readonly number[]): Promise<void> {
    for (const grade of counted) await grades.uncount(grade);
  }

  function tooMany({ resetAt }: RequestWindow): ApiError {
    const text = `An address is given ${MAX_GRADES} grades in 24 hours without a key.`;
    return new ApiError('rate_limit_exceeded', text, {
      retry_after: Math.max(1, Math.ceil((resetAt - now()) / 1000)),
    });
  }

  return {
    requestWindow: window,
    async withSlot(address, held, work) {
      if (held.remaining === 0) throw tooMany(held);
      if (running.isFull(address)) throw tooManyAtOnce();
      running.add(address);
      try {
        return await work();
      } finally {
        running.remove(address);
      }
    },
    async countGrade(address, work) {
      const counted = await count(address);
      if (counted === undefined) throw tooMany(await window(address));
      try {
        return await work();
      } catch (error) {
        await uncount(counted);
        throw error;
      }
    },
  };
}

const tooManyAtOnce = (): ApiError =>
  new ApiError('concurrency_limit_exceeded', `An address may have ${MAX_CONCURRENT_GRADES} slips graded at once.`, {
    retry_after: 1,
  });
