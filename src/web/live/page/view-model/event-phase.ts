import type { EventStatus } from '../../../../domain/catalogue/catalogue.ts';
import type { BoardEvent } from '../../answers/live-page-answers.ts';

/** The parts of a board in display order. `off`: the event will not take place on this day. */
type Phase = 'live' | 'coming' | 'over' | 'off';

const PHASES: Readonly<Record<EventStatus, Phase>> = {
  inprogress: 'live',
  suspended: 'live',
  scheduled: 'coming',
  delayed: 'coming',
  postponed: 'off',
  cancelled: 'off',
  walkover: 'over',
  final: 'over',
};
const RANK: Readonly<Record<Phase, number>> = { live: 0, coming: 1, over: 2, off: 3 };

export const phaseOf = (status: EventStatus): Phase => PHASES[status];

export const hasEnded = (status: EventStatus): boolean => RANK[PHASES[status]] >= RANK.over;

/** Live events first, then upcoming, then ended; within these by start. */
export const byPhaseAndStart = (a: BoardEvent, b: BoardEvent): number =>
  RANK[phaseOf(a.status)] - RANK[phaseOf(b.status)] || Date.parse(a.starts_at) - Date.parse(b.starts_at) || a.id - b.id;
