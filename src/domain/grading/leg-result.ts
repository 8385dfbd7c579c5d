import type { EventStatus } from '../catalogue/catalogue.ts';

export const LEG_RESULTS = ['won', 'lost', 'over', 'under', 'push', 'void', 'in_progress', 'dnp', 'no_stat'] as const;
export type LegResult = (typeof LEG_RESULTS)[number];

/** The outcome of a leg. */
export interface LegOutcome {
  /** Null if the rules of slips cannot settle it: the leg is unmapped. */
  readonly result: LegResult | null;
  /** The number compared with the line; null for h2h, and if there is none. */
  readonly current: number | null;
  /** One sentence of explanation; null for won, lost, over, under and push. */
  readonly message: string | null;
}

export const settledOutcome = (result: LegResult, current: number | null): LegOutcome => ({
  result,
  current,
  message: null,
});
export const voidOutcome = (message: string): LegOutcome => ({ result: 'void', current: null, message });
export const dnpOutcome = (message: string): LegOutcome => ({ result: 'dnp', current: null, message });
export const noStatOutcome = (message: string): LegOutcome => ({ result: 'no_stat', current: null, message });
export const unmappedOutcome = (message: string): LegOutcome => ({ result: null, current: null, message });
export const pendingOutcome = (message: string, current: number | null = null): LegOutcome => ({
  result: 'in_progress',
  current,
  message,
});

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
