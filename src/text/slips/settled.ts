import type { EventStatus } from '../../domain/catalogue.ts';

export const LEG_RESULTS = ['won', 'lost', 'over', 'under', 'push', 'void', 'in_progress', 'dnp', 'no_stat'] as const;
export type LegResult = (typeof LEG_RESULTS)[number];

/** What a leg has come to. */
export interface Settled {
  /** Null where it cannot be settled by the rules of slips: it is unmapped. */
  readonly result: LegResult | null;
  /** The number that is compared with the line; null on h2h, and where there is none. */
  readonly current: number | null;
  /** One sentence, wherever the result does not tell all: null for what was won, lost, over, under or a push. */
  readonly message: string | null;
}

export const settled = (result: LegResult, current: number | null): Settled => ({ result, current, message: null });
export const voided = (message: string): Settled => ({ result: 'void', current: null, message });
export const didNotPlay = (message: string): Settled => ({ result: 'dnp', current: null, message });
export const noStat = (message: string): Settled => ({ result: 'no_stat', current: null, message });
export const unmapped = (message: string): Settled => ({ result: null, current: null, message });
export const pending = (message: string, current: number | null = null): Settled => ({
  result: 'in_progress',
  current,
  message,
});

const WAITING: Readonly<Partial<Record<EventStatus, string>>> = {
  scheduled: 'The event has not started.',
  delayed: 'The start of the event is delayed.',
  postponed: 'The event is postponed: the leg waits for it, whenever it is played.',
  suspended: 'The event is suspended: the leg waits for it, whenever it goes on.',
};

/** Of an event that is not over. */
export const waiting = (status: EventStatus, current: number | null): Settled =>
  pending(WAITING[status] ?? 'The event is being played.', current);

/** The facts that settle the leg are there. */
export const isSettled = (result: LegResult | null): boolean =>
  result !== null && result !== 'in_progress' && result !== 'no_stat';
