import { rememberSport } from '../../domain/catalogue/added-leagues.ts';
import { type DomainRecord, streams } from '../../domain/streams/domain-events.ts';
import { SPORTS_STREAM_ID } from '../../domain/streams/sports-stream.ts';
import type { EventLog } from '../port/event-log.ts';

type SportRecord = Extract<DomainRecord, { type: 'SportAdded' }>;

/** Reads by whose rules the sports play of which events are recorded, also those that were taken out of CONFIG. */
export async function readOwnSports(log: Pick<EventLog, 'readStream'>): Promise<void> {
  for (const record of await log.readStream(streams.sports(SPORTS_STREAM_ID))) {
    const { sport, like } = (record as SportRecord).data;
    rememberSport(sport, like);
  }
}
