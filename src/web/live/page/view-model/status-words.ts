import type { EventStatus } from '../../../../domain/catalogue/catalogue.ts';

/** Statuses in words. */
export const STATUS_WORDS: Readonly<Record<EventStatus, string>> = {
  scheduled: 'Scheduled',
  delayed: 'Delayed',
  postponed: 'Postponed',
  inprogress: 'Live',
  suspended: 'Suspended',
  cancelled: 'Cancelled',
  walkover: 'Walkover',
  final: 'Final',
};

/** Availability in words; an unlisted status is shown as it is. */
const INJURY_WORDS: Readonly<Record<string, string>> = {
  day_to_day: 'day to day',
  ir: 'injured reserve',
};
export const injuryWords = (status: string): string => INJURY_WORDS[status] ?? status.replaceAll('_', ' ');
