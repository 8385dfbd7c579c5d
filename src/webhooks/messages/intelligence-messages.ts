import type { DomainRecord } from '../../domain/domain-events.ts';
import type { Tell, Teller } from './teller.ts';

export const intelligenceTeller: Teller = {
  tells: ['intelligence'],
  recordTypes: ['IntelligencePublished'],
  open: (): Tell => async (record, isWanted) => {
    const { data, recordedAt, position } = record as Extract<DomainRecord, { type: 'IntelligencePublished' }>;
    const { eventId, sport, at, has_recommend, bets } = data;
    if (!isWanted('intelligence', sport, eventId)) return [];
    const told = { event_id: eventId, intelligence_updated_at: at, has_recommend, bets };
    return [{ eventType: 'intelligence', eventId, sport, data: told, at: recordedAt, position, index: 0 }];
  },
};
