export const getRequest = (path: string, key: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\nAccept: */*\r\nUser-Agent: bench\r\n\r\n`;

export function postRequest(path: string, key: string, body: object): string {
  const text = JSON.stringify(body);
  return (
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
  );
}

/** What the server answers to it. */
export async function bodyOf(port: number, key: string, path = '/v1/events/1'): Promise<Buffer> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${key}` } });
  const body = Buffer.from(await response.arrayBuffer());
  if (response.status !== 200) throw new Error(`${path}: ${response.status}: ${body}`);
  return body;
}

const AT = '2026-02-08T22:00:00Z';
const LATER = '2026-02-09T01:10:00Z';

export const homeOf = (n: number): string => `San Francisco ${n}`;

type Sides = readonly [home: object, away: object];
const sidesOf = (n: number): Sides => [
  { name: homeOf(n), abbreviation: 'SF' },
  { name: `Kansas City ${n}`, abbreviation: 'KC' },
];

/** Event number `n`, in progress. */
export const eventMessages = (n: number, [home, away] = sidesOf(n)) => [
  {
    kind: 'schedule',
    source: 'bench',
    at: AT,
    sport: 'nfl',
    league: 'nfl',
    ref: String(n),
    starts_at: '2026-02-08T23:30:00Z',
    participants: [
      { role: 'home', ...home },
      { role: 'away', ...away },
    ],
    venue: { name: "Levi's Stadium", city: 'Santa Clara', country: 'USA', timezone: 'America/Los_Angeles' },
    round: 'Final',
    broadcast: 'NBC',
  },
  {
    kind: 'score',
    source: 'bench',
    at: LATER,
    ref: String(n),
    status: 'inprogress',
    period: '3',
    clock: '7:42',
    scores: [
      { role: 'home', score: '17', period_scores: [7, 10, 0].map((score, i) => ({ period: String(i + 1), score })) },
      { role: 'away', score: '20', period_scores: [3, 14, 3].map((score, i) => ({ period: String(i + 1), score })) },
    ],
  },
];

/** The event's prices at three books. */
export const priceMessages = (n: number) =>
  ['pinnacle', 'draftkings', 'fanduel'].map((bookmaker, i) => ({
    kind: 'odds',
    source: 'bench',
    at: LATER,
    ref: String(n),
    bookmaker,
    markets: [
      {
        key: 'h2h',
        outcomes: [
          { outcome: 'home', price: -120 - i },
          { outcome: 'away', price: 102 + i },
        ],
      },
      { key: 'totals', outcomes: ['over', 'under'].map((outcome) => ({ outcome, price: -110, point: 44.5 + i })) },
    ],
  }));
