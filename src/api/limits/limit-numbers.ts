import type { Budget, Rule } from './limits.ts';

/** Of each API key, whatever its plan: "Other limits" of the specification. */
export const IN_FLIGHT = 16;
const STREAMS = 5;

/** What calls of one kind share: so many in 60 seconds, and so many at the same moment; undefined: no limit. */
export const BUDGETS: Readonly<Record<Budget, { readonly inWindow?: number; readonly atOnce: number }>> = {
  score_poll: { inWindow: 20, atOnce: 4 },
  slip_grading: { atOnce: 3 },
};

/** Seconds that a caller waits who has too much under way. */
export const RETRY_AT_ONCE = 1;

/** What a request passes of which nobody knows yet whether it is a call. */
export const ENTRANCE_RULES: readonly Rule[] = [{ kind: 'place', of: 'requests', most: IN_FLIGHT }];

/** What every call passes first. @param perMinute requests in 60 seconds; null: any number */
export function requestRules(
  perMinute: number | null,
): Readonly<Record<'answer' | 'entered' | 'stream', readonly Rule[]>> {
  const window: Rule[] = perMinute === null ? [] : [{ kind: 'window', of: 'requests', most: perMinute }];
  return {
    answer: [...window, ...ENTRANCE_RULES],
    // Its place was taken at the entrance.
    entered: window,
    // An open stream is none of those in flight.
    stream: [...window, { kind: 'place', of: 'streams', most: STREAMS }],
  };
}

/** Calls that an account's owner may run in the playground within 60 seconds. */
export const PLAYGROUND_RULES: readonly Rule[] = [{ kind: 'window', of: 'playground', most: 20 }];

export const BUDGET_RULES: Readonly<Record<Budget, readonly Rule[]>> = {
  score_poll: budgetRules('score_poll'),
  slip_grading: budgetRules('slip_grading'),
};

function budgetRules(of: Budget): readonly Rule[] {
  const { inWindow, atOnce } = BUDGETS[of];
  const place: Rule = { kind: 'place', of, most: atOnce };
  return inWindow === undefined ? [place] : [place, { kind: 'window', of, most: inWindow }];
}
