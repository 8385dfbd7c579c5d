import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decideRefund } from '../../../commands/credit-decisions.ts';
import type { Credits, Hold } from '../../../src/accounts/credits/credits.ts';
import { ApiError } from '../../../src/api/calls/api-errors.ts';
import type { AnsweredCall, ChargedCall } from '../../../src/domain/accounts/account-event-data.ts';
import { accountStreams } from '../../../src/domain/accounts/account-events.ts';
import type { AccountTerms, KeyCap } from '../../../src/domain/accounts/credit-terms.ts';
import { DAY, formatTime, HOUR, MINUTE, SECOND } from '../../../src/domain/primitives/time.ts';
import { chargesIn } from '../recorded-calls.ts';
import type { CreditsContract, CreditsGround } from './credits.contract.ts';

const START = Date.parse('2026-01-30T20:00:00Z');
const ACCOUNT = 1;
const rich: AccountTerms = {
  accountId: ACCOUNT,
  createdAt: START,
  plan: 'payg',
  initialCredits: 10_000,
  monthlyCredits: 0,
  creditsExpireHours: null,
  dailyCap: null,
  order: null,
};
const poor: AccountTerms = { ...rich, initialCredits: 5 };
const unlimited: AccountTerms = { ...rich, plan: 'enterprise', initialCredits: null };
const cap = (keyId: number, credits = 10): KeyCap => ({ keyId, credits });

type Step =
  | { readonly key: number; readonly halves: number }
  | { readonly refunded: number }
  | { readonly wait: number }
  | 'restart';

/** What every adapter of the credits does for keys that have a daily cap of their own. */
export function keyCapsContract(name: string, { ground: lay, open: begin }: CreditsContract): void {
  describe(`daily caps of keys: ${name}`, () => {
    let time: number;
    let ground: CreditsGround;
    let calls: number;
    let credits: Credits;
    const now = () => time;
    const start = async () => {
      time = START;
      calls = 0;
      ground = await lay(now);
      credits = begin(ground.log, ground, now);
    };
    const restart = async () => {
      await credits.flush();
      credits = begin(ground.log, ground, now);
    };
    beforeEach(start);
    afterEach(async () => {
      await credits.flush();
      await ground.close();
    });

    const call = (keyId: number): AnsweredCall => ({
      at: formatTime(time),
      keyId,
      operation: 'test',
      requestId: `r${++calls}`,
      status: 200,
      milliseconds: 3,
    });
    const reserve = async (key: KeyCap | undefined, most: number, terms = rich): Promise<Hold> =>
      credits.reserve(terms, most, undefined, key);
    const charge = async (key: KeyCap | undefined, amount: number, terms = rich) =>
      (await reserve(key, amount, terms)).charge(call(key?.keyId ?? 9), amount);
    const refusal = async (work: Promise<unknown>): Promise<ApiError> => {
      const error = await work.then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(ApiError);
      return error as ApiError;
    };
    const codeOf = async (work: Promise<unknown>) => (await refusal(work)).code;
    const charged = async (): Promise<readonly ChargedCall[]> => {
      await credits.flush();
      return chargesIn(await ground.log.readStream(accountStreams.ledger(ACCOUNT)));
    };
    const refund = async (index: number, terms = rich) => {
      const one = (await charged())[index]!;
      await credits.record(terms, (ledger) => decideRefund(ACCOUNT, ledger, one, 'for the test', time));
    };

    it('given a key that has spent its cap, when it calls, then it is refused until the charge is a day old', async () => {
      await charge(cap(1), 4);
      time += HOUR;
      await charge(cap(1), 6);
      const { code, extras, status } = await refusal(reserve(cap(1), 1));
      expect([status, code]).toEqual([402, 'credit_cap_exceeded']);
      expect(extras).toEqual({ resets_at: formatTime(START + DAY), window_hours: 24 });
      time = START + DAY - 1;
      expect(await codeOf(reserve(cap(1), 1))).toBe('credit_cap_exceeded');
      time = START + DAY;
      await charge(cap(1), 4);
      expect(await codeOf(reserve(cap(1), 1))).toBe('credit_cap_exceeded');
    });

    it('given a call that can cost more than the whole cap, then it is refused without a reset time', async () => {
      const { code, extras } = await refusal(reserve(cap(1), 11));
      expect([code, extras]).toEqual(['credit_cap_exceeded', { window_hours: 24 }]);
    });

    it('given a key that has spent its cap, then other keys, and those without a cap, go on', async () => {
      await charge(cap(1), 10);
      await charge(cap(2), 10);
      await charge(undefined, 100);
      expect(await codeOf(reserve(cap(2), 0.5))).toBe('credit_cap_exceeded');
      expect((await charged()).map(({ ofKey }) => ofKey)).toEqual([true, true, undefined]);
    });

    it('given calls in flight, when they hold the rest of the cap, then the next one waits for them', async () => {
      const first = await reserve(cap(1), 8);
      const order: string[] = [];
      const second = reserve(cap(1), 5).then((hold) => {
        order.push('second');
        return hold;
      });
      const other = await reserve(cap(2), 5);
      order.push('other key');
      await first.charge(call(1), 5);
      await (await second).charge(call(1), 5);
      await other.release();
      expect(order).toEqual(['other key', 'second']);
      expect(await codeOf(reserve(cap(1), 0.5))).toBe('credit_cap_exceeded');
    });

    it('given a call that waits for the cap, when the others have spent it, then it is refused', async () => {
      const first = await reserve(cap(1), 8);
      const second = codeOf(reserve(cap(1), 5));
      await first.charge(call(1), 8);
      expect(await second).toBe('credit_cap_exceeded');
    });

    it('given a call that fails or costs nothing, then its part of the cap is free again', async () => {
      await (await reserve(cap(1), 10)).release();
      await (await reserve(cap(1), 10)).charge(call(1), 0);
      await charge(cap(1), 10);
    });

    it('given an account without credits, then it is told that first', async () => {
      expect(await codeOf(reserve(cap(1), 11, poor))).toBe('insufficient_credits');
      expect(await codeOf(reserve(cap(1, 3), 4, poor))).toBe('credit_cap_exceeded');
    });

    it('given unlimited credits, then the cap of a key holds all the same, over a restart too', async () => {
      expect(await charge(cap(1), 6, unlimited)).toEqual({ remaining: undefined });
      await restart();
      const first = await reserve(cap(1), 4, unlimited);
      const second = codeOf(reserve(cap(1), 4, unlimited));
      await first.charge(call(1), 3);
      expect(await second).toBe('credit_cap_exceeded');
      await charge(cap(1), 1, unlimited);
    });

    it('given a restart, then the cap goes on where it was', async () => {
      await charge(cap(1), 7);
      await restart();
      expect(await codeOf(reserve(cap(1), 4))).toBe('credit_cap_exceeded');
      await charge(cap(1), 3);
    });

    it('given a refund, then the cap is free for as much, over a restart too', async () => {
      await charge(cap(1), 7);
      time += MINUTE;
      await charge(cap(1), 3);
      await refund(0);
      await refund(0);
      await restart();
      expect(await codeOf(reserve(cap(1), 7.5))).toBe('credit_cap_exceeded');
      await charge(cap(1), 7);
    });

    it('given a refund of a charge that is more than a day old, then it frees nothing', async () => {
      await charge(cap(1), 7);
      time += DAY + HOUR;
      await charge(cap(1), 10);
      await refund(0);
      expect(await codeOf(reserve(cap(1), 0.5))).toBe('credit_cap_exceeded');
    });

    it('no 24 hours hold more than the cap, and nothing is refused that fits, in any mix of calls', async () => {
      const step: fc.Arbitrary<Step> = fc.oneof(
        {
          weight: 6,
          arbitrary: fc.record({ key: fc.integer({ min: 1, max: 2 }), halves: fc.integer({ min: 1, max: 9 }) }),
        },
        { weight: 2, arbitrary: fc.constantFrom(SECOND, 7 * MINUTE, 5 * HOUR, 23 * HOUR).map((wait) => ({ wait })) },
        { weight: 1, arbitrary: fc.nat(20).map((refunded) => ({ refunded })) },
        { weight: 1, arbitrary: fc.constant('restart' as const) },
      );
      const play = async (steps: readonly Step[]) => {
        const spent: { key: number; at: number; amount: number; isRefunded: boolean }[] = [];
        for (const one of steps) {
          if (one === 'restart') await restart();
          else if ('wait' in one) time += one.wait;
          else if ('refunded' in one) {
            const found = spent[one.refunded];
            if (!found) continue;
            await refund(one.refunded);
            found.isRefunded = true;
          } else {
            const amount = one.halves / 2;
            const sum = spent
              .filter(({ key, at, isRefunded }) => key === one.key && !isRefunded && at > time - DAY)
              .reduce((total, entry) => total + entry.amount, 0);
            const outcome = await charge(cap(one.key), amount).then(
              () => 'charged',
              (error: ApiError) => error.code,
            );
            expect(outcome).toBe(sum + amount > 10 ? 'credit_cap_exceeded' : 'charged');
            if (outcome === 'charged') spent.push({ key: one.key, at: time, amount, isRefunded: false });
          }
        }
      };
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), play).beforeEach(async () => {
          await ground.close();
          await start();
        }),
        { numRuns: 30 },
      );
    });

    it('no cap is passed by calls at the same moment', async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 40 }, async (_, index) => {
          const hold = await reserve(cap((index % 2) + 1), 1).catch(() => undefined);
          if (hold) await hold.charge(call((index % 2) + 1), 1);
          return hold !== undefined;
        }),
      );
      expect(outcomes.filter((isCharged) => isCharged)).toHaveLength(20);
      expect(await charged()).toHaveLength(20);
    });
  });
}
