import type { EventStatus } from '../catalogue/catalogue.ts';
import type { LegSide } from './leg.ts';

export const LEG_RESULTS = ['won', 'lost', 'over', 'under', 'push', 'void', 'in_progress', 'dnp', 'no_stat'] as const;
export type LegResult = (typeof LEG_RESULTS)[number];

/**
 * What a leg comes to for who took its side. A quarter line is half won or half lost if its halves end differently. It
 * is ungradeable if its part of an event that is over has no score.
 */
export const BET_RESULTS = ['won', 'half_won', 'push', 'void', 'half_lost', 'lost', 'ungradeable'] as const;
export type BetResult = (typeof BET_RESULTS)[number];

/** The outcome of a leg. */
export interface LegOutcome {
  /** Null if the rules of slips cannot settle it: the leg is unmapped. Of a quarter line: that of the decided half. */
  readonly result: LegResult | null;
  /** Null until the leg is settled, or is known to be ungradeable. */
  readonly result_detail: BetResult | null;
  /** The number compared with the line; null for h2h, and if there is none. */
  readonly current: number | null;
  /** One sentence of explanation; null for won, lost, over, under and push. */
  readonly message: string | null;
}

/** @param side the side that was taken */
export function settledOutcome(
  result: 'won' | 'lost' | 'over' | 'under' | 'push',
  side: LegSide,
  current: number | null,
): LegOutcome {
  const isWon = result === 'won' || result === side;
  return { result, result_detail: result === 'push' ? 'push' : isWon ? 'won' : 'lost', current, message: null };
}

export const voidOutcome = (message: string): LegOutcome => ({ ...VOID, result: 'void', message });
export const dnpOutcome = (message: string): LegOutcome => ({ ...VOID, result: 'dnp', message });
export const noStatOutcome = (message: string): LegOutcome => ({ ...OPEN, result: 'no_stat', message });
export const unmappedOutcome = (message: string): LegOutcome => ({ ...OPEN, result: null, message });
export const ungradeableOutcome = (message: string): LegOutcome => ({
  ...OPEN,
  result: null,
  result_detail: 'ungradeable',
  message,
});
export const pendingOutcome = (message: string, current: number | null = null): LegOutcome => ({
  ...OPEN,
  result: 'in_progress',
  current,
  message,
});

const VOID = { result_detail: 'void', current: null } as const;
const OPEN = { result_detail: null, current: null } as const;

const UNFINISHED_EVENT_MESSAGES: Readonly<Partial<Record<EventStatus, string>>> = {
  scheduled: 'The event has not started.',
  delayed: 'The start of the event is delayed.',
  postponed: 'The event is postponed: the leg waits for it, whenever it is played.',
  suspended: 'The event is suspended: the leg waits for it, whenever it goes on.',
};

/** The outcome while the event is not over. */
export const unfinishedEventOutcome = (status: EventStatus, current: number | null): LegOutcome =>
  pendingOutcome(UNFINISHED_EVENT_MESSAGES[status] ?? 'The event is being played.', current);

/** Whether the leg is settled. A leg without its statistic (`no_stat`), or without a result (null), is not. */
export const isSettledLeg = (result: LegResult | null): boolean =>
  result !== null && result !== 'in_progress' && result !== 'no_stat';
