import { ApiError } from '../../api/calls/errors.ts';
import type { RequestWindow } from '../../api/calls/stages.ts';
import { COUNTED_FOR, type KeptGrades } from './counted-grades.ts';

/** Grades that one address is given in 24 hours, and that it may ask for at the same moment. */
export const MOST_GRADES = 20;
const MOST_AT_ONCE = 3;

export interface SheetLimitsParts {
  readonly kept: KeptGrades;
  /** Milliseconds. */
  readonly now: () => number;
}

/** What an address may have graded without a key. */
export interface SheetLimits {
  /** How the address stands. */
  window(address: string): Promise<RequestWindow>;
  /**
   * Answers with `work` while the address has a place.
   * @throws ApiError rate_limit_exceeded, concurrency_limit_exceeded; and what `work` throws
   */
  within<T>(address: string, window: RequestWindow, work: () => Promise<T>): Promise<T>;
  /** Counts what `work` gives, and nothing where it throws. @throws ApiError rate_limit_exceeded */
  count<T>(address: string, work: () => Promise<T>): Promise<T>;
}

export function createSheetLimits({ kept, now }: SheetLimitsParts): SheetLimits {
  /** How many of each address are under way. */
  const underWay = new Map<string, number>();

  async function window(address: string): Promise<RequestWindow> {
    const at = now();
    const { counted, firstAt } = await kept.of(address, at);
    const remaining = Math.max(0, MOST_GRADES - counted);
    return { limit: MOST_GRADES, remaining, resetAt: (firstAt ?? at) + COUNTED_FOR };
  }

  function tooMany({ resetAt }: RequestWindow): ApiError {
    const text = `An address is given ${MOST_GRADES} grades in 24 hours without a key.`;
    return new ApiError('rate_limit_exceeded', text, {
      retry_after: Math.max(1, Math.ceil((resetAt - now()) / 1000)),
    });
  }

  return {
    window,
    async within(address, held, work) {
      if (held.remaining === 0) throw tooMany(held);
      const running = underWay.get(address) ?? 0;
      if (running >= MOST_AT_ONCE) throw tooManyAtOnce();
      underWay.set(address, running + 1);
      try {
        return await work();
      } finally {
        const left = underWay.get(address)! - 1;
        if (left === 0) underWay.delete(address);
        else underWay.set(address, left);
      }
    },
    async count(address, work) {
      const grade = await kept.take(address, MOST_GRADES, now());
      if (grade === undefined) throw tooMany(await window(address));
      try {
        return await work();
      } catch (error) {
        await kept.drop(grade);
        throw error;
      }
    },
  };
}

const tooManyAtOnce = (): ApiError =>
  new ApiError('concurrency_limit_exceeded', `An address may have ${MOST_AT_ONCE} slips graded at once.`, {
    retry_after: 1,
  });
