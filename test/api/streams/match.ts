import { type EventDocument, events } from '../../../projections/sports-events/events.ts';
import { ONE_PARTITION } from '../../../src/domain/event-sourcing/partition-of.ts';
import { toPositionOrNull } from '../../../src/domain/event-sourcing/position.ts';
import type { ScoreContent } from '../../../src/domain/sports-events/sports-event.ts';
import { type DomainEvent, streams } from '../../../src/domain/streams/domain-events.ts';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import type { ReadStore } from '../../../src/read-models/store/read-store.ts';

/** Records of matches, as the commands would append them. */
const AT = '2026-03-01T12:00:00Z';
const identity = (eventId: number) => ({ eventId, sport: 'nba', league: 'nba' });
const meta = (eventId: number) => ({ partition: streams.event(eventId) });

const side = (id: number, name: string) => ({
  key: `team:${id}`,
  id,
  name,
  abbreviation: `T${id}`,
  country_code: null,
  placeholder: false,
});

export const scheduled = (eventId: number, names = ['Home', 'Away'], at = AT): DomainEvent => ({
  type: 'EventScheduled',
  version: 1,
  meta: meta(eventId),
  data: {
    ...identity(eventId),
    at,
    source: 'feed',
    content: { starts_at: AT, sides: [side(1, names[0]!), side(2, names[1]!)] },
  },
});

type Points = readonly [string | number, string | number];
export const score = (
  eventId: number,
  points: Points | null,
  more: Partial<ScoreContent> & { readonly periods?: readonly [number, number] } = {},
): DomainEvent => {
  const { periods, ...content } = more;
  const said = (index: 0 | 1) => ({
    score: String(points![index]),
    ...(periods && { period_scores: [{ period: '1', score: periods[index] }] }),
  });
  return {
    type: 'ScoreChanged',
    version: 1,
    meta: meta(eventId),
    data: {
      ...identity(eventId),
      at: AT,
      source: 'feed',
      content: { status: 'inprogress', ...(points && { sides: [said(0), said(1)] }), ...content },
    },
  };
};

export const reconfirmed = (eventId: number): DomainEvent => ({
  type: 'ScoreReconfirmed',
  version: 1,
  meta: meta(eventId),
  data: { ...identity(eventId), at: AT, source: 'feed', of: 1 },
});

export const described = (eventId: number, name: string): DomainEvent => ({
  type: 'ParticipantDescribed',
  version: 1,
  meta: meta(eventId),
  data: {
    ...identity(eventId),
    at: AT,
    source: 'feed',
    side: 'team:1',
    rank: 'described',
    profile: { name, abbreviation: 'T1', country_code: null, image_url: null },
  },
});

export const injuriesChecked = (eventId: number): DomainEvent => ({
  type: 'InjuriesChecked',
  version: 1,
  meta: meta(eventId),
  data: { ...identity(eventId), at: AT, source: 'feed' },
});

/** An `events` projector that goes only as far as it is told to. */
export function createProjector(log: EventLog, store: ReadStore) {
  return {
    prepare: () => store.prepare(events, 'v1'),
    /** The next records of the log; all there are where no number is given. */
    async project(count = 1_000_000): Promise<void> {
      const expected = await store.checkpoint(events.name, 'v1', ONE_PARTITION);
      const records = await log.readAll(toPositionOrNull(expected), count);
      if (records.length === 0) return;
      const writes = new Map<string, { key: string; document: EventDocument; position: bigint }>();
      for (const record of records) {
        if (!events.types.includes(record.type)) continue;
        const key = events.key(record)!;
        const before = writes.get(key)?.document ?? (await store.get<EventDocument>(events.name, key))?.document;
        writes.set(key, { key, document: events.apply(before, record), position: record.position });
      }
      const checkpoint = records.at(-1)!.position;
      await store.commit([
        {
          projection: events.name,
          generation: 'v1',
          partition: ONE_PARTITION,
          writes: [...writes.values()],
          expected,
          checkpoint,
        },
      ]);
    },
  };
}

export const append = (log: EventLog, ...facts: readonly DomainEvent[]) =>
  log.appendAll(
    facts.map((fact) => ({ stream: streams.event((fact.data as any).eventId), events: [fact], expected: 'any' })),
  );
