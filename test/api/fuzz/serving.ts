import { createIngestEndpoint } from '../../../src/api/http/endpoints/ingest-endpoint.ts';
import { operations } from '../../../src/api/operations/index.ts';
import { createLogFeed } from '../../../src/event-log/subscription/log-feed.ts';
import { type Message, smallServer } from '../../system/properties/small-server.ts';
import { NOW } from '../../system/properties/world.ts';
import { serve } from '../http/serving.ts';

export const INGEST_KEY = 'ingest-key';

/** Events that no case of a fuzz test touches: their sides bear names of their own. */
const KNOWN: Message[] = [
  {
    kind: 'schedule',
    source: 'untouched',
    at: '2026-09-01T00:00:00Z',
    sport: 'nhl',
    league: 'nhl',
    ref: 'untouched-1',
    starts_at: '2026-11-01T00:00:00Z',
    participants: [
      { role: 'home', name: 'Untouched Home', abbreviation: 'UTH' },
      { role: 'away', name: 'Untouched Away', abbreviation: 'UTA' },
    ],
  },
  {
    kind: 'score',
    source: 'untouched',
    at: '2026-11-01T01:00:00Z',
    ref: 'untouched-1',
    status: 'inprogress',
    period: '2',
    scores: [
      { role: 'home', score: '3' },
      { role: 'away', score: '1' },
    ],
  },
];

/** The real application on a port, with everything behind it in memory. */
export async function serveAll() {
  const server = await smallServer({ time: NOW });
  const { store, log } = server;
  const { histories, now } = server.context;
  const served = await serve({
    operations,
    ingestKey: INGEST_KEY,
    around: (ports) => ({ ...ports, store, log, feed: createLogFeed(log) }),
    context: { histories, now },
    routes: ({ responder }) =>
      createIngestEndpoint({
        intake: server.intake,
        ingestKey: INGEST_KEY,
        responder,
        projected: () => server.projected(),
        positions: { issue: async () => undefined },
      }),
  });
  await server.accept(KNOWN);
  await server.projected();
  const { id } = (await server.identities.findEvent('untouched', 'untouched-1'))!;
  const path = `/v1/events/${id}/score`;
  const expected = await (await served.fetch(path)).json();

  return {
    ...served,
    server,
    /** A request whose answer is known. */
    async known(): Promise<boolean> {
      const response = await served.fetch(path);
      const answer = await response.json();
      return response.status === 200 && JSON.stringify(answer) === JSON.stringify(expected);
    },
    async close() {
      await served.close();
      await server.close();
    },
  };
}
export type ServedAll = Awaited<ReturnType<typeof serveAll>>;
