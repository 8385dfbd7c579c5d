import type { DomainEvent } from '../../../src/domain/streams/domain-events.ts';

const side = (id: number, name: string) => ({
  key: `team:${id}`,
  id,
  name,
  abbreviation: null,
  country_code: null,
  placeholder: false,
});

/** Event 1: the Bills at the Chiefs on 10 September 2026, 18:00 UTC. */
export const scheduled = [
  {
    type: 'EventScheduled',
    version: 1,
    data: {
      at: '2026-09-01T00:00:00Z',
      source: 's',
      content: {
        season: { year: 2026, name: '2026', phase: 'regular_season' },
        starts_at: '2026-09-10T18:00:00Z',
        sides: [side(1, 'Chiefs'), side(2, 'Bills')],
        venue: { name: 'Arrowhead', city: 'Kansas City' },
      },
      eventId: 1,
      sport: 'nfl',
      league: 'nfl',
    },
    meta: { partition: 'event-1' },
  },
] as unknown as readonly DomainEvent[];
