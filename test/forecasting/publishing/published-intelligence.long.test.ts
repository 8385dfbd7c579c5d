import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEvent } from '../../../src/domain/event-sourcing/stream-kind.ts';
import { intelligenceStream } from '../../../src/domain/streams/stream-definitions.ts';
import { type AgentServer, BOOTSTRAP_KEY, serveAgent } from '../../api/agent/serving.ts';
import { NFL, schedule, score } from '../../api/spec/messages.ts';
import { at, game, moneyline, spread, withdrawn } from '../../intelligence/price-messages.ts';
import { serve } from '../../webhooks/local-endpoint.ts';
import { publishedIn, typesOf } from './publications.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const seen = (time: string) => `2026-03-01T${time}:00Z`;
let server: AgentServer;
beforeEach(async () => {
  server = await serveAgent({ time: NOON, publishes: true, webhookAllow: ['127.0.0.0/8'] });
});
afterEach(() => server.close());

const published = async () => {
  await server.published();
  return publishedIn(server.log);
};
const told = async () => (await published()).map((one) => [one.at, typesOf(one)]);
const MONEYLINES = ['ML_P1', 'ML_P2'];
const health = async () =>
  (await server.get('/v1/health')).projections.find(({ name }: any) => name === 'intelligence');

describe('a fact that changes bets before the start', () => {
  it('is published with its time and the bets that changed, as the API shows them', async () => {
    await server.feed(game('g1'), moneyline('pinnacle', -150, 130, '11:50'));
    await published();
    await server.feed(spread('pinnacle', -3, -110, -110, '11:55'));
    const [first, second, ...others] = await published();
    expect([first!.at, typesOf(first!), first!.has_recommend]).toEqual([seen('11:50'), MONEYLINES, false]);
    expect([second!.at, typesOf(second!), others]).toEqual([seen('11:55'), ['SPREAD_P1', 'SPREAD_P2'], []]);
    const { bets } = await server.get(`/v1/events/${first!.event}/intelligence`, BOOTSTRAP_KEY);
    expect([...first!.bets, ...second!.bets]).toEqual(bets.slice(0, 4));
  });

  it('names the facts behind it', async () => {
    await server.feed(game('g1'), moneyline('pinnacle', -150, 130, '11:50'), moneyline('circa', -148, 128, '11:50'));
    await published();
    const records = await server.log.readAll(null, 100);
    const prices = records.filter(({ type }) => type === 'PricesChanged').map(({ position }) => String(position));
    const { data } = records.find(({ type }) => type === 'IntelligencePublished') as { data: any };
    expect(data.grounds).toEqual({ facts: prices, through: expect.any(String) });
    expect(Number(data.grounds.through)).toBeGreaterThanOrEqual(Number(prices.at(-1)));
    expect([data.source, data.model_version]).toEqual(['ledgerline', 'nfl-2.1']);
  });

  it('is published for a move of at least a hundredth', async () => {
    await server.feed(game('g1'), moneyline('pinnacle', -150, 130, '11:50'));
    await published();
    await server.feed(moneyline('pinnacle', -151, 131, '11:51'));
    expect(await told()).toEqual([[seen('11:50'), MONEYLINES]]);
    await server.feed(moneyline('pinnacle', -170, 145, '11:52'));
    expect(await told()).toEqual([
      [seen('11:50'), MONEYLINES],
      [seen('11:52'), MONEYLINES],
    ]);
  });

  it('is published separately, however many came together', async () => {
    await server.feed(
      game('g1'),
      moneyline('pinnacle', -170, 145, '11:52'),
      moneyline('pinnacle', -150, 130, '11:50'),
      withdrawn('pinnacle', 'h2h', '11:54'),
    );
    expect((await told()).map(([time]) => time)).toEqual([seen('11:50'), seen('11:52'), seen('11:54')]);
  });

  it('that comes late is published, and of earlier publications only what now differs', async () => {
    await server.feed(game('g1'), moneyline('pinnacle', -150, 130, '11:50'));
    await published();
    await server.feed(spread('pinnacle', -3, -110, -110, '11:40'), moneyline('circa', -300, 250, '11:50'));
    const [, ...late] = await published();
    expect(late.map((one) => [one.at, typesOf(one)])).toEqual([
      [seen('11:40'), ['SPREAD_P1', 'SPREAD_P2']],
      [seen('11:50'), MONEYLINES],
    ]);
    expect(late[1]!.bets[0]!.fair!.books).toEqual(['pinnacle', 'circa']);
    await server.feed(moneyline('pinnacle', -140, 120, '11:30'));
    expect(await published()).toHaveLength(3);
  });
});

describe('nothing is published', () => {
  it('for an event that has begun when it arrives', async () => {
    await server.feed(
      schedule(NFL, 'g1', ['A', 'B'], seen('11:00'), at('05:00')),
      moneyline('pinnacle', -150, 130, '10:50'),
    );
    expect(await published()).toEqual([]);
  });

  it('from the start on, and from the first live message on', async () => {
    await server.feed(game('g1'), moneyline('pinnacle', -150, 130, '11:50'), game('g2'));
    await published();
    await server.feed(score('g2', 'inprogress', ['0', '0'], at('11:55')));
    await server.feed(moneyline('pinnacle', -300, 250, '11:50', 'g2'));
    server.clock.time = Date.parse(seen('18:00'));
    await server.feed(moneyline('pinnacle', -300, 250, '17:50'));
    expect((await published()).map(({ at: time }) => time)).toEqual([seen('11:50')]);
  });

  it('while a side is not known, and everything when it is', async () => {
    const unknown = { ...schedule(NFL, 'g1', ['TBD', 'B'], seen('18:00'), at('05:00')) };
    await server.feed(unknown);
    expect(await published()).toEqual([]);
    await server.feed(game('g1'), moneyline('pinnacle', -150, 130, '11:50'));
    expect(await published()).toHaveLength(1);
  });
});

describe('webhooks of type intelligence', () => {
  it('send each fact once, with the changed bets only', async () => {
    const endpoint = await serve();
    await server.webhooks.start();
    await server.post('/v1/webhooks', { url: endpoint.url, event_types: ['intelligence'] });
    await server.feed(game('g1'), moneyline('pinnacle', -150, 130, '11:50'));
    await published();
    await server.feed(spread('pinnacle', -3, -110, -110, '11:55'));
    const facts = await published();
    await endpoint.arrived(2);
    const bodies = endpoint.received.map(({ body }) => JSON.parse(body.toString()));
    expect(bodies.map(({ type, data }) => ({ type, data }))).toEqual(
      facts.map((one) => ({
        type: 'intelligence',
        data: {
          event_id: one.event,
          intelligence_updated_at: one.at,
          has_recommend: one.has_recommend,
          bets: one.bets,
        },
      })),
    );
  });
});

describe('the read model of published intelligence', () => {
  it('lags while facts wait for others, and health shows when all is published', async () => {
    await server.published();
    await expect.poll(health).toMatchObject({ name: 'intelligence', lag_events: 0 });
    await server.feed(game('g1'), moneyline('pinnacle', -150, 130, '11:50'));
    expect((await health()).lag_events).toBeGreaterThan(0);
    await server.published();
    await expect.poll(async () => (await health()).lag_events).toBe(0);
  });

  it('finds events with a recommended bet, by the newest that was published', async () => {
    await server.feed(game('g1'), game('g2'), schedule(NFL, 'g3', ['A', 'B'], seen('17:00'), at('05:00')));
    const [one, two, three] = await Promise.all(['g1', 'g2', 'g3'].map((ref) => server.eventId('feed', ref)));
    const publish = async (eventId: number, has_recommend: boolean) => {
      const data = { eventId, sport: 'nfl', league: 'nfl', at: seen('11:50'), source: 'ledgerline' as const };
      const grounds = { through: '1', facts: [] };
      const all = { ...data, model_version: null, has_recommend, bets: [], grounds };
      await server.log.append(
        `intelligence-${eventId}`,
        [createEvent(intelligenceStream, eventId, 'IntelligencePublished', all)],
        'any',
      );
      await server.published();
    };
    const ids = async (query: string) =>
      (await server.get(`/v1/events?${query}`, BOOTSTRAP_KEY)).events.map(({ id }: any) => id);
    await publish(one!, true);
    await publish(two!, true);
    await publish(three!, true);
    await publish(two!, false);
    const found = async (query: string) => (await server.get(`/v1/events?${query}`, BOOTSTRAP_KEY)).events;
    const [shown] = await found('has_recommend=true');
    expect(shown).toEqual((await found('')).find(({ id }: any) => id === three));
    expect(await ids('has_recommend=true&sport=nfl&league=nfl&status=scheduled&date=2026-03-01')).toEqual([three, one]);
    expect(await ids('has_recommend=true&sport=nba')).toEqual([]);
    expect(await ids('has_recommend=true&date=2026-03-02')).toEqual([]);
    expect(await ids(`has_recommend=true&season_id=${shown.season_id}`)).toEqual([three, one]);
    const sides = (await server.get(`/v1/events/${one}`, BOOTSTRAP_KEY)).participants;
    expect(await ids(`has_recommend=true&team_id=${sides[0].team.id}`)).toEqual([one]);
    expect(await ids('has_recommend=true')).toEqual([three, one]);
    expect(await ids('has_recommend=true&limit=1')).toEqual([three]);
    expect(await ids(`has_recommend=true&after_id=${three}`)).toEqual([one]);
    expect(await ids('has_recommend=true&sort=status')).toEqual([three, one]);
    expect(await ids('has_recommend=true&status=final')).toEqual([]);
    expect(await ids('has_recommend=false')).toHaveLength(3);
    await server.feed(schedule(NFL, 'g1', [sides[0].team.name, sides[1].team.name], seen('16:30'), at('11:58')));
    expect(await ids('has_recommend=true')).toEqual([one, three]);
    await server.feed(score('g3', 'final', ['3', '0'], at('11:59')));
    expect(await ids('has_recommend=true&status=final')).toEqual([three]);
  });
});
