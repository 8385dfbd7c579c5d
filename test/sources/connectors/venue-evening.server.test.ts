import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../../src/domain/primitives/time.ts';
import type { ProviderTransport, TransportAnswer } from '../../../src/sources/connectors/provider-transport.ts';
import { BOOTSTRAP_KEY } from '../../api/agent/serving.ts';
import { composed } from '../../support/composed.ts';
import { booksAnswer, eventsAnswer, GAME, lakers, warriors } from '../kalshi/kalshi-double.ts';
import { bookAnswer, moneyline, nbaEvent } from '../polymarket/polymarket-double.ts';

/** Two hours before the Lakers play at Golden State. */
const START = Date.parse('2026-12-01T01:00:00Z');
const SETTINGS = {
  FEEDS: 'kalshi,polymarket',
  FEED_LEAGUES: 'nba',
  FEED_CONTACT: 'https://sport.club/contact',
  KALSHI_URL: 'http://kalshi.test',
  POLYMARKET_URL: 'http://gamma.test',
  POLYMARKET_CLOB_URL: 'http://clob.test',
};

/** What the doubles of the protocols answer. @param isTurned whether the book of the home side is that of the other */
function answerOf({ host, pathname, searchParams }: URL, isTurned: boolean): unknown {
  if (host === 'kalshi.test') {
    if (pathname.endsWith('/events'))
      return eventsAnswer(searchParams.get('series_ticker') === 'KXNBAGAME' ? [lakers(), warriors()] : []);
    if (pathname.endsWith('/markets')) return { markets: [], cursor: '' };
    const [likely, unlikely] = [
      { yes: [['0.7000', '500.00']], no: [['0.2900', '500.00']] },
      { yes: [['0.2900', '500.00']], no: [['0.7000', '500.00']] },
    ] as const;
    return booksAnswer({
      [`${GAME}-GSW`]: isTurned ? unlikely : likely,
      [`${GAME}-LAL`]: isTurned ? likely : unlikely,
    });
  }
  if (pathname === '/sports') return [{ sport: 'nba', series: '10345' }];
  if (pathname === '/events') return searchParams.get('closed') === 'false' ? [nbaEvent([moneyline()])] : [];
  const [bid, ask] = isTurned ? (['0.70', '0.71'] as const) : (['0.29', '0.30'] as const);
  return bookAnswer(searchParams.get('token_id')!, [[bid, '500']], [[ask, '500']]);
}

async function* bytesOf(value: unknown): AsyncGenerator<Uint8Array> {
  yield Buffer.from(JSON.stringify(value));
}

/** Polls both for some minutes, while a reference book has the home side at 70 %. */
async function play(minutes: number, isTurned: boolean) {
  const asked: string[] = [];
  const agents = new Set<string>();
  const transport: ProviderTransport = async (address, { headers }): Promise<TransportAnswer> => {
    asked.push(address);
    agents.add(headers['user-agent']!);
    return {
      status: 200,
      headers: [['content-type', 'application/json']],
      body: bytesOf(answerOf(new URL(address), isTurned)),
    };
  };
  const server = await composed({
    time: START,
    settings: { bootstrapKey: BOOTSTRAP_KEY },
    feeds: SETTINGS,
    transport: () => transport,
  });
  await server.core.runner.start();
  const tell = (value: object) => server.core.intake.accept([{ line: 1, value }]);
  const at = () => new Date(server.clock.time).toISOString();
  const named = { source: 'league', ref: 'g1' };
  await tell({
    kind: 'schedule',
    ...named,
    at: at(),
    sport: 'nba',
    league: 'nba',
    starts_at: '2026-12-01T03:00:00Z',
    participants: [
      { role: 'home', name: 'Golden State Warriors' },
      { role: 'away', name: 'Los Angeles Lakers' },
    ],
  });
  const outcomes = [
    { outcome: 'home', price: -245 },
    { outcome: 'away', price: 225 },
  ];
  await tell({ kind: 'odds', ...named, at: at(), bookmaker: 'pinnacle', markets: [{ key: 'h2h', outcomes }] });
  await server.core.projected();
  await server.connectors!.start();
  for (let passed = 0; passed < minutes * MINUTE; passed += SECOND) {
    server.clock.time += SECOND;
    server.timers.advance(SECOND);
    for (let turn = 0; turn < 6; turn++) await setImmediate();
    if (passed % (4 * MINUTE) === 0)
      await tell({ kind: 'odds', ...named, at: at(), bookmaker: 'pinnacle', markets: [{ key: 'h2h', outcomes }] });
  }
  const health = server.connectors!.health().map(({ name, state }) => [name, state]);
  await server.connectors!.close();
  await server.core.projected();
  const headers = { authorization: `Bearer ${BOOTSTRAP_KEY}` };
  const odds = (await (
    await fetch(`${server.url}/v1/events/1/odds?bookmaker=pinnacle,kalshi,polymarket`, { headers })
  ).json()) as any;
  const shown = Object.fromEntries(
    odds.bookmakers.map(({ bookmaker, markets }: any) => [
      bookmaker,
      markets[0].outcomes.map(({ price }: any) => price),
    ]),
  );
  const { failures } = server;
  await server.close();
  return { asked, agents, health, shown, failures };
}

describe('an evening with the doubles of Kalshi and Polymarket', () => {
  it('given prices that speak for their sides, then the books show after three of them, and not before', async () => {
    const early = await play(12, false);
    expect(Object.keys(early.shown)).toEqual(['pinnacle']);
    const late = await play(26, false);
    expect(late.failures).toEqual([]);
    expect(late.health).toEqual([
      ['kalshi', 'ok'],
      ['polymarket', 'ok'],
      ['polymarket-clob', 'ok'],
    ]);
    // 1 / (0.71 + 0.07 x 0.71 x 0.29) is 1.3804; 1 / (0.71 + 0.03 x 0.71 x 0.29) is 1.3963.
    expect(late.shown).toMatchObject({ kalshi: [-263, expect.any(Number)], polymarket: [-252, expect.any(Number)] });
    expect([...late.agents]).toEqual([expect.stringMatching(/^Ledgerline\/\S+ \(\+https:\/\/sport\.club\/contact\)$/)]);
  });

  it('given contracts that are inverted, then none of their prices ever shows', async () => {
    const { shown } = await play(30, true);
    expect(Object.keys(shown)).toEqual(['pinnacle']);
  });
});
