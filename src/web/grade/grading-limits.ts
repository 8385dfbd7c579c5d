import { ApiError } from '../../api/calls/api-errors.ts';
import type { RequestWindow } from '../../api/calls/pipeline/admission.ts';
import { GRADE_WINDOW_MS, type GradeCounter } from './grade-counter.ts';

/** Grades that one address gets in 24 hours, and how many at once. */
const MAX_GRADES = 20;
const MAX_CONCURRENT_GRADES = 3;

interface GradingLimitsParts {
  readonly grades: GradeCounter;
  /** Milliseconds. */
  readonly now: () => number;
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

export function createGradingLimits({ grades, now }: GradingLimitsParts): GradingLimits {
  /** Running gradings by address. */
  const runningByAddress = new Map<string, number>();

  async function window(address: string): Promise<RequestWindow> {
    const at = now();
    const { counted, firstAt } = await grades.countOf(address, at);
    const remaining = Math.max(0, MAX_GRADES - counted);
    return { limit: MAX_GRADES, remaining, resetAt: (firstAt ?? at) + GRADE_WINDOW_MS };
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
      const running = runningByAddress.get(address) ?? 0;
      if (running >= MAX_CONCURRENT_GRADES) throw tooManyAtOnce();
      runningByAddress.set(address, running + 1);
      try {
        return await work();
      } finally {
        const left = runningByAddress.get(address)! - 1;
        if (left === 0) runningByAddress.delete(address);
        else runningByAddress.set(address, left);
      }
    },
    async countGrade(address, work) {
      const grade = await grades.tryCount(address, MAX_GRADES, now());
      if (grade === undefined) throw tooMany(await window(address));
      try {
        return await work();
      } catch (error) {
        await grades.uncount(grade);
        throw error;
      }
    },
  };
}

const tooManyAtOnce = (): ApiError =>
  new ApiError('concurrency_limit_exceeded', `An address may have ${MAX_CONCURRENT_GRADES} slips graded at once.`, {
    retry_after: 1,
  });
