import type { DomainRecord } from '../../../domain/streams/domain-events.ts';
import type { ChangeMapper, MapRecord } from '../change-mapper.ts';

export const intelligenceChangeMapper: ChangeMapper = {
  changeTypes: ['intelligence'],
  recordTypes: ['IntelligencePublished'],
  create: (): MapRecord => async (record, isWanted) => {
    const { data, recordedAt, position } = record as Extract<DomainRecord, { type: 'IntelligencePublished' }>;
    const { eventId, sport, league, at, has_recommend, bets } = data;
    if (!isWanted('intelligence', sport, eventId)) return [];
    const intelligence = { event_id: eventId, intelligence_updated_at: at, has_recommend, bets };
    const base = { eventId, sport, league, observedAt: at, at: recordedAt, position };
    return [{ ...base, eventType: 'intelligence', data: intelligence, index: 0 }];
  },
};
