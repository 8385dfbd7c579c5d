import type { EventDocument } from '../../../projections/sports-events/events.ts';
import type { ScoreMoment } from '../../domain/alerts/alert-filter.ts';
import { leadOfFirst } from '../../domain/sports-events/event-results.ts';
import { isOver } from '../../domain/sports-events/sports-event.ts';
import { leaderChance, shareOfTimeLeft } from '../../intelligence/play/leader-chance.ts';

/** What the moments of a game follow from. */
export interface GameState {
  readonly isOver: boolean;
  readonly hasResult: boolean;
  readonly period: string | undefined;
  /** Of the first side; 0 before any score. */
  readonly lead: number;
  readonly isCloseLate: boolean;
}

/** A game is late in its last tenth, and close while the leader's chance is below this. */
const LATE = 0.1;
const CLOSE = 0.75;

/** Of the document as it is now: later records change it in place. */
export function gameStateOf(document: EventDocument): GameState {
  const { sport, event } = document;
  const { status, period, clock } = event;
  const lead = leadOfFirst({ sport, event }) ?? 0;
  const timeLeft = status === 'inprogress' ? shareOfTimeLeft(document, period, clock) : null;
  const chance = timeLeft !== null && timeLeft <= LATE ? leaderChance(document, lead, timeLeft) : null;
  return {
    isOver: isOver(status),
    hasResult: status === 'final' || status === 'walkover',
    period,
    lead,
    isCloseLate: chance !== null && chance < CLOSE,
  };
}

/** Breaks between periods: what follows one is no end of a period. */
const BREAK = /^(HT|Mid \d+|End \d+)$/;

/** Which moments it is when a game passes from one state to another, beside `any`. */
export function momentsBetween(before: GameState, after: GameState): readonly ScoreMoment[] {
  const [led, leads] = [Math.sign(before.lead), Math.sign(after.lead)];
  const hasPeriodEnded =
    before.period !== undefined && !BREAK.test(before.period) && (after.period !== before.period || after.isOver);
  return [
    'any',
    ...(leads !== 0 && leads !== led ? (['lead_change'] as const) : []),
    ...(hasPeriodEnded && !before.isOver ? (['period_end'] as const) : []),
    ...(after.hasResult && !before.hasResult ? (['final'] as const) : []),
    ...(after.isCloseLate ? (['close_late'] as const) : []),
  ];
}
