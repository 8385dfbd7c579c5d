import { setTimeout as delay } from 'node:timers/promises';
import { type Child, startChild } from './child.ts';
import { feedMessages } from './feed-messages.ts';
import { type Server, startServer } from './server.ts';

/** Milliseconds of the machine's clock, which all its processes share. */
export const now = (): number => Number(process.hrtime.bigint()) / 1e6;

/** The first message of a stream, whose first score is 0, as it goes over the wire. */
async function firstMessage(port: number, key: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/events/1/stream`, {
    headers: { authorization: `Bearer ${key}` },
  });
  let text = '';
  for await (const chunk of response.body!) {
    text += Buffer.from(chunk).toString();
    const from = text.indexOf('event: score');
    const end = text.indexOf('\n\n', from);
    if (from >= 0 && end >= 0) return text.slice(from, end + 2);
  }
  throw new Error('the stream ended without a message');
}

export const schedule = (eventId: number) => ({
  kind: 'schedule',
  source: 'bench',
  at: '2026-01-05T00:00:00Z',
  sport: 'nfl',
  league: 'nfl',
  ref: String(eventId),
  starts_at: '2026-01-05T18:00:00Z',
  participants: [
    { role: 'home', name: `Home ${eventId}`, abbreviation: 'HOM' },
    { role: 'away', name: `Away ${eventId}`, abbreviation: 'AWY' },
  ],
});

/** A change of an event's score, as a live feed tells it. */
export const score = (eventId: number, points: number) => ({
  kind: 'score',
  source: 'bench',
  at: new Date(points === 0 ? Date.parse('2026-01-05T18:00:00Z') : Date.now()).toISOString(),
  ref: String(eventId),
  status: 'inprogress',
  period: '1',
  clock: `${String(points % 60).padStart(2, '0')}:00`,
  scores: [
    { role: 'home', score: String(points), period_scores: [{ period: '1', score: points }] },
    { role: 'away', score: '7', period_scores: [{ period: '1', score: 7 }] },
  ],
});

/** The server with these events, and a bare one that sends the same bytes. */
export interface BothServers {
  readonly server: Server;
  readonly bare: Child;
  stop(): Promise<void>;
}

export async function startBoth(folder: string, eventCount: number): Promise<BothServers> {
  const messages = Array.from({ length: eventCount }, (_, n) => [schedule(n + 1), score(n + 1, 0)]).flat();
  const server = await startServer({ folder });
  try {
    await feedMessages(server, messages);
    // Only the score of the first side is 0 as a text.
    const [before, after] = (await firstMessage(server.port, server.key)).split('"score":"0"');
    const bare = await startChild('bare-streams', { before: `${before}"score":"`, after: `"${after}` });
    return { server, bare, stop: async () => void (await Promise.all([server.stop(), bare.stop()])) };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** @throws Error when they do not come in time, or more come */
export async function allArrived(readers: Child, count: number, patienceMs = 20_000): Promise<void> {
  const until = now() + patienceMs;
  for (;;) {
    const received = Number(await readers.ask('received'));
    if (received === count) return;
    if (received > count || now() > until) throw new Error(`${received} messages arrived instead of ${count}`);
    await delay(50);
  }
}
