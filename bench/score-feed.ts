/** Milliseconds of the machine's clock, which all its processes share. */
export const now = (): number => Number(process.hrtime.bigint()) / 1e6;

/** The first message of a stream, whose first score is 0, as it goes over the wire. */
export async function firstMessage(port: number, key: string): Promise<string> {
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
