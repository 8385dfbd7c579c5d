import { applySchedule, applyScore, type SportsEvent } from '../../src/domain/sports-events/sports-event.ts';
import type { DomainRecord } from '../../src/domain/streams/domain-events.ts';

/** The sports event of a record, as documents store it. */
export function eventIdentityOf({ data }: DomainRecord): { id: number; sport: string; league: string } {
  const { eventId, sport, league } = data as { eventId: number; sport: string; league: string };
  return { id: eventId, sport, league };
}

/** Applies a schedule or a score; other records change nothing. May change and return `event`. */
export function applyEventRecord(event: SportsEvent, record: DomainRecord): SportsEvent {
  if (record.type !== 'EventScheduled' && record.type !== 'ScoreChanged') return event;
  // Copy the late state: later records change it, and must not change the record.
  if (record.data.late) return structuredClone(record.data.late);
  return record.type === 'EventScheduled' ? applySchedule(event, record.data) : applyScore(event, record.data);
}
