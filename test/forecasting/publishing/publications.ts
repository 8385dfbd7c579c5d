import type { DomainRecord } from '../../../src/domain/streams/domain-events.ts';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import type { BetIntelligence } from '../../../src/read-models/rendering/event-schemas.ts';

/** Published bets, as tests compare them. */
export interface Published {
  readonly event: number;
  readonly at: string;
  readonly has_recommend: boolean | null;
  readonly bets: readonly BetIntelligence[];
}

/** All published intelligence in the log, in its order. */
export async function publishedIn(log: EventLog): Promise<Published[]> {
  const published: Published[] = [];
  for await (const page of log.readAllFrom(null)) {
    for (const { type, data } of page as readonly DomainRecord[]) {
      if (type !== 'IntelligencePublished') continue;
      const { eventId, at, has_recommend, bets } = data;
      published.push({ event: eventId, at, has_recommend, bets: bets as unknown as BetIntelligence[] });
    }
  }
  return published;
}

export const typesOf = ({ bets }: Published): string[] => bets.map(({ bet_type }) => bet_type);

/** The newest version of each bet of one event. */
export function newestOf(published: readonly Published[]): Map<string, BetIntelligence> {
  const newest = new Map<string, BetIntelligence>();
  for (const { bets } of published) for (const bet of bets) newest.set(bet.bet_type, bet);
  return newest;
}
