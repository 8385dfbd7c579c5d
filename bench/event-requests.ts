export const getRequest = (path: string, key: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\nAccept: */*\r\nUser-Agent: bench\r\n\r\n`;

/** What the server answers to it. */
export async function bodyOf(port: number, key: string): Promise<Buffer> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/events/1`, { headers: { authorization: `Bearer ${key}` } });
  const body = Buffer.from(await response.arrayBuffer());
  if (response.status !== 200) throw new Error(`${response.status}: ${body}`);
  return body;
}

const AT = '2026-02-08T22:00:00Z';
/** An event in progress. */
export const MESSAGES = [
  {
    kind: 'schedule',
    source: 'bench',
    at: AT,
    sport: 'nfl',
    league: 'nfl',
    ref: '1',
    starts_at: '2026-02-08T23:30:00Z',
    participants: [
      { role: 'home', name: 'San Francisco 49ers', abbreviation: 'SF' },
      { role: 'away', name: 'Kansas City Chiefs', abbreviation: 'KC' },
    ],
    venue: { name: "Levi's Stadium", city: 'Santa Clara', country: 'USA', timezone: 'America/Los_Angeles' },
    round: 'Final',
    broadcast: 'NBC',
  },
  {
    kind: 'score',
    source: 'bench',
    at: '2026-02-09T01:10:00Z',
    ref: '1',
    status: 'inprogress',
    period: '3',
    clock: '7:42',
    scores: [
      { role: 'home', score: '17', period_scores: [7, 10, 0].map((score, i) => ({ period: String(i + 1), score })) },
      { role: 'away', score: '20', period_scores: [3, 14, 3].map((score, i) => ({ period: String(i + 1), score })) },
    ],
  },
];
