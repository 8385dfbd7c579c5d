import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  Change,
  Client,
  Correction,
  DeviceRequest,
  EventListItem,
  LedgerLine,
  Player,
  PlayerEvent,
  TeamListItem,
  WebhookDelivery,
} from '../../../src/api/client/index.ts';
import { operations } from '../../../src/api/operations/index.ts';
import { message, record, succeeded } from '../../webhooks/store/stored-webhooks.ts';
import { putCard } from '../agent/metering.ts';
import { type AgentServer, serveAgent } from '../agent/serving.ts';
import { dayOfSport, experimentOf } from '../openapi/day-of-sport.ts';

// Each answer is checked twice: what is looked at here is typed as the client says, which the compiler checks, and all of
// it is held to the OpenAPI document when it comes.

let server: AgentServer;
let client: Client;
/** Methods of the client that were called. */
const called = new Set<string>();
const eventIds: Record<string, number> = {};

beforeAll(async () => {
  server = await serveAgent({ hosts: { 'hooks.example': ['93.184.215.14'] } });
  await server.feed(...dayOfSport(server.clock.time));
  for (const ref of ['g1', 'g2', 'g3', 'g4']) eventIds[ref] = await server.eventId('feed', ref);
  client = noting(server.client());
});
afterAll(() => server.close());

const noting = (of: Client): Client =>
  new Proxy(of, {
    get(target, name) {
      called.add(String(name));
      return Reflect.get(target, name);
    },
  });

async function taken<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('the catalogue through the client', () => {
  it('has health, sports and seasons', async () => {
    const { status, log } = await client.getHealth();
    expect([status, Number(log.position) > 0]).toEqual(['ok', true]);
    const { sports, total } = await client.listSports({ active_only: true });
    expect(sports.map(({ slug }) => slug)).toContain('tennis');
    expect(total).toBe(sports.length);
    const { seasons } = await client.listSeasons({ sport: 'nfl', current_only: false });
    expect(seasons[0]!.league).toEqual({ slug: 'nfl', name: 'National Football League', abbreviation: 'NFL' });
    const { bookmakers } = await client.listBookmakers();
    expect(bookmakers.find(({ slug }) => slug === 'pinnacle')).toMatchObject({
      type: 'sportsbook',
      reference_weight: 3,
    });
    const standings = await client.getStandings({ slug: 'nfl' });
    expect([standings.league, standings.as_of]).toEqual(['nfl', null]);
    const projections = await client.getProjections({ slug: 'nfl', season: 2025 });
    expect([projections.available, projections.reason]).toEqual([false, 'schedule_incomplete']);
    const futures = await client.getFutures({ slug: 'nfl', season: 2025 });
    expect(futures.markets[0]!.bookmakers[0]!.outcomes[0]).toMatchObject({ team: 'Kansas City Chiefs', price: 600 });
    const { movements } = await client.getFuturesHistory({ slug: 'nfl', season: 2025 });
    expect(movements).toMatchObject([{ price_from: 650, price_to: 600 }]);
  });
});

describe('events through the client', () => {
  it('come as a list, page by page, one by one and several at once', async () => {
    const { events, next_after_id: next } = await client.listEvents({ include_scores: true, limit: 100 });
    expect([events.length, next]).toEqual([6, null]);
    const walked: EventListItem[] = await taken(client.each.listEvents({ include_scores: true, limit: 4 }));
    expect(walked).toEqual(events);
    const event = await client.getEvent({ id: eventIds['g4']!, include_odds: true, bookmaker: 'all' });
    expect(event.odds!.bookmakers[0]!.markets[0]!.outcomes.map(({ price }) => price)).toEqual([-110, 300, 260]);
    const batch = await client.batchGetEvents({ event_ids: [eventIds['g3']!, 999, eventIds['g1']!] });
    expect([batch.events.map(({ sport }) => sport), batch.not_found]).toEqual([['tennis', 'nfl'], [999]]);
  });

  it('have scores, odds, their movements, splits and injuries', async () => {
    const id = eventIds['g1']!;
    const { status, scores } = await client.getLiveScore({ id });
    expect([status, scores.map(({ score }) => score)]).toEqual(['final', ['24', '27']]);
    const { bookmakers } = await client.getOdds({ id, bookmaker: 'fanduel' });
    expect(bookmakers.map(({ bookmaker }) => bookmaker)).toEqual(['fanduel']);
    const { movements } = await client.getOddsHistory({ id, bookmaker: 'pinnacle', limit: 1 });
    expect(movements).toHaveLength(1);
    const summary = await client.getOddsSummary({ id, bookmaker: 'pinnacle' });
    expect([summary.available, summary.bookmakers.map(({ bookmaker }) => bookmaker)]).toEqual([true, ['pinnacle']]);
    const { players } = await client.getIntelligence({ id });
    expect(Object.keys(players)).toEqual(['home', 'away']);
    const { outcomes } = await client.getProbabilities({ id });
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['home', 'away']);
    const splits = await client.getSplits({ id });
    expect(splits.consensus.moneyline!.home!.bets_pct).toBe(61);
    const stats = await client.getStats({ id });
    expect([stats.available, stats.teams!.home!.rest_days]).toEqual([true, null]);
    const { injuries } = await client.getInjuries({ id, exclude_status: 'available' });
    expect(injuries.map(({ player, status: is }) => [player, is])).toEqual([['Patrick Mahomes', 'out']]);
  });

  it('have lines of the first half, of teams and of players, with their results', async () => {
    const id = eventIds['g1']!;
    const { period_odds: lines } = await client.getPeriodOdds({ id });
    expect(lines.map(({ market, line, scope_complete: complete }) => [market, line, complete])).toEqual([
      ['first_half_spreads', -1.5, true],
      ['first_half_totals', 23.5, true],
    ]);
    const { forecast, period_odds: unforecast } = await client.getPeriodOdds({ id, include_forecast: true });
    expect([forecast, unforecast.map(({ probability }) => probability)]).toEqual([null, [null, null]]);
    const { team_props: totals } = await client.getTeamProps({ id });
    expect(totals.map(({ side, current, result }) => [side, current, result])).toEqual([['home', 24, 'under']]);
    const { player_props: props } = await client.getPlayerProps({ id, market: 'passing_yards' });
    expect(props.map(({ player, current, result }) => [player, current, result])).toEqual([
      ['Patrick Mahomes', 281, 'over'],
    ]);
  });

  it('have what was taken back, and what sources call them', async () => {
    const { data, has_more: hasMore } = await client.listCorrections({ field: 'score', limit: 1 });
    expect([data.map(({ event_id: id, before }) => [id, before]), hasMore]).toEqual([
      [[eventIds['g2'], { home: '3', away: '1' }]],
      false,
    ]);
    const walked: Correction[] = await taken(client.each.listCorrections({ limit: 1 }));
    expect(walked).toEqual(data);
    const { mappings, total } = await client.listMappings({ source: 'feed', ref: 'g2' });
    expect([mappings.map(({ id, refs }) => [id, refs.map(({ ref, swapped }) => [ref, swapped])]), total]).toEqual([
      [[eventIds['g2'], [['g2', false]]]],
      1,
    ]);
  });

  it('have changes, in pages and as a stream', async () => {
    const { next_after: now, changes: none } = await client.listChanges();
    expect([Number(now) > 0, none]).toEqual([true, []]);
    const { changes, has_more: more } = await client.listChanges({ after: '0', types: 'score,status', limit: 500 });
    expect(more).toBe(false);
    expect(changes.map(({ type, event_id: id }) => `${type} ${id}`)).toContain(`status ${eventIds['g2']}`);
    const followed: Change[] = [];
    for await (const change of client.streamChanges({ after: '0', types: 'score,status' })) {
      followed.push(change);
      if (followed.length === changes.length) break;
    }
    expect(followed).toEqual(changes);
  });

  it('stream their score', async () => {
    const snapshots = await taken(client.streamScores({ id: eventIds['g1']! }));
    expect(snapshots).toEqual([await client.getLiveScore({ id: eventIds['g1']! })]);
  });
});

describe('scans through the client', () => {
  it('find what is better than fair, and what earns whatever happens', async () => {
    const scan = await client.scanEv({ sport: 'soccer', market: 'h2h' });
    expect([scan.max_ev, scan.total]).toEqual([25, scan.opportunities.length]);
    const crossed = await client.scanArbitrage({ sport: 'soccer', kind: 'all' });
    expect([crossed.max_age, crossed.total]).toEqual([900, crossed.opportunities.length]);
    const forecasts = await client.listForecasts({ sport: 'soccer', market: 'h2h' });
    expect([forecasts.model_version, forecasts.wagers, forecasts.total]).toEqual(['soccer-1.0', [], 0]);
  });

  it('tell what the forecasts were worth', async () => {
    expect(await client.getRecord({ sport: 'nfl', by: 'month' })).toMatchObject({ rows: [], months: [] });
    const quality = await client.getMarketQuality({ league: 'nfl' });
    expect([quality.market, quality.days]).toEqual(['h2h', 30]);
    const { market, rows, total } = await client.getRecord({ sport: 'nfl', league: 'nfl' });
    expect([market, rows, total]).toEqual(['h2h', [], 0]);
  });
});

describe('names through the client', () => {
  it('are resolved, or told with whom they may mean', async () => {
    const team = await client.resolveTeam({ query: 'Kansas City Chiefs', clues: { sport: 'nfl' } });
    expect([team.status, team.display_name, team.match_reasons]).toEqual([
      'resolved',
      'Kansas City Chiefs',
      ['name', 'sport'],
    ]);
    const player = await client.resolvePlayer({ query: 'Mahomes', options: { mode: 'permissive' } });
    expect([player.status, player.candidates.map(({ display_name }) => display_name)]).toEqual([
      'ambiguous',
      ['Patrick Mahomes'],
    ]);
  });
});

describe('questions and estimates through the client', () => {
  it('are asked in words, over all pages', async () => {
    const { interpreted, events } = await client.queryEvents({ query: 'nfl games', limit: 1 });
    expect([interpreted.sport, events.length]).toEqual(['nfl', 1]);
    const walked: EventListItem[] = await taken(client.each.queryEvents({ query: 'nfl games', limit: 1 }));
    expect(walked).toEqual((await client.listEvents({ sport: 'nfl' })).events);
    expect(walked.length).toBeGreaterThan(1);
  });

  it('settle slips, with a receipt', async () => {
    const slip = await client.gradeSlip({ legs: [{ event_id: eventIds['g1']!, market_key: 'ml', side: 'away' }] });
    expect([slip.status, slip.legs[0]!.result, slip.summary.hits]).toEqual(['graded', 'won', 1]);
    const receipt = await client.getGradeReceipt({ id: slip.receipt!.id });
    expect([receipt.result, receipt.superseded]).toEqual([slip, false]);
  });

  it('tell what calls would cost', async () => {
    const calls = [{ tool: 'get_event', arguments: { id: 1, include_odds: true } }];
    const { total_min_credits: least, total_max_credits: most } = await client.estimateCost({ calls });
    expect([least, most]).toEqual([1, 2]);
    expect((await client.listEstimateTools()).tools).toContain('get_event');
  });
});

describe('the directory through the client', () => {
  it('has teams', async () => {
    const { data } = await client.listTeams();
    const walked: TeamListItem[] = await taken(client.each.listTeams({ limit: 1 }));
    expect(walked).toEqual(data);
    const { id, name } = data.find(({ name: found }) => found === 'Arsenal')!;
    expect((await client.getTeam({ id })).name).toBe(name);
  });

  it('has players, and their events', async () => {
    const { data } = await client.searchPlayers({ sport: 'tennis' });
    const walked: Player[] = await taken(client.each.searchPlayers({ sport: 'tennis', limit: 1 }));
    expect(walked).toEqual(data);
    const { id } = data.find(({ full_name: name }) => name === 'Carlos Alcaraz')!;
    expect((await client.getPlayer({ id })).full_name).toBe('Carlos Alcaraz');
    const played = await client.getPlayerEvents({ id });
    expect(played.data.map(({ event_id: eventId }) => eventId)).toEqual([eventIds['g3']]);
    const each: PlayerEvent[] = await taken(client.each.getPlayerEvents({ id }));
    expect(each).toEqual(played.data);
  });
});

describe('webhooks through the client', () => {
  it('are made, tried, told of and ended', async () => {
    const { id, signing_secret: first } = await client.createWebhook({ url: 'https://hooks.example/in', sport: 'nfl' });
    expect((await client.listWebhooks()).data.map(({ id: listed }) => listed)).toEqual([id]);
    expect((await client.testWebhook({ id })).webhook_id).toMatch(/^msg_/);
    expect((await client.rotateWebhookSecret({ id })).signing_secret).not.toBe(first);
    for (const at of [1, 2, 3].map((second) => server.clock.time + second)) {
      const sent = await server.webhookStore.add(message(id, { createdAt: server.clock.time }));
      await record(server.webhookStore, [succeeded(sent, at)]);
    }
    const { data } = await client.listWebhookDeliveries({ id, success: true });
    expect(data.map(({ status_code: status }) => status)).toEqual([200, 200, 200]);
    const walked: WebhookDelivery[] = await taken(client.each.listWebhookDeliveries({ id, limit: 2 }));
    expect(walked).toEqual(data);
    const { replayed } = await client.replayWebhook({ id, after_delivery_id: data.at(-1)!.id });
    expect(replayed).toBe(2);
    expect(await client.deleteWebhook({ id })).toBeUndefined();
    expect((await client.listWebhooks()).data).toEqual([]);
  });
});

describe('the account through the client', () => {
  it('has keys', async () => {
    const { id, key, scopes } = await client.createKey({ name: 'for a client', scopes: ['nba'] });
    expect([key?.startsWith('llk_'), scopes]).toEqual([true, ['nba']]);
    expect((await client.listKeys()).keys.map(({ name }) => name)).toContain('for a client');
    expect(await client.revokeKey({ id })).toBeUndefined();
    expect((await client.listKeys()).keys.find((one) => one.id === id)?.is_active).toBe(false);
  });

  it('has credits', async () => {
    const { packs } = await client.listCreditPacks();
    const before = await client.getCredits();
    await putCard(server, server.record.accountId, 'ok');
    const after = await client.topUpCredits({ pack_id: packs[0]!.id });
    expect(after.total_remaining! - before.total_remaining!).toBe(packs[0]!.credits);
  });

  it('has own bets', async () => {
    const bet = { event_id: eventIds['g1']!, market_key: 'h2h', side: 'home' as const, price: 110, stake: 5 };
    const placed = { book: 'fanduel', placed_at: new Date(server.clock.time).toISOString() };
    const { bets } = await client.addBets({ bets: [{ ...bet, ...placed }] });
    expect((await client.listBets()).bets.map(({ id, stake }) => [id, stake])).toEqual([[bets[0]!.id, 5]]);
    expect((await client.summarizeBets({ by: 'book' })).total).toMatchObject({ bets: 1, staked: 5 });
    expect(await client.deleteBet({ id: bets[0]!.id })).toBeUndefined();
    expect((await client.listBets()).bets).toEqual([]);
  });

  it('has experiments', async () => {
    const { name, from, to, ...said } = experimentOf(server.clock.time);
    const { id, hash } = await client.createExperiment({ name, from, to, ...said });
    expect(await client.getExperiment({ id })).toMatchObject({ id, hash, ...said, state: 'open' });
    expect((await client.endExperiment({ id })).state).toBe('ended');
    expect((await client.listExperiments()).experiments.map((one) => one.id)).toEqual([id]);
  });

  it('has links', async () => {
    const { id, url } = await client.createLink({ path: '/v1/teams', format: 'csv' });
    expect(url).toMatch(/\.csv$/);
    expect((await client.listLinks()).links.map((link) => link.id)).toEqual([id]);
    expect(await client.deleteLink({ id })).toBeUndefined();
    expect((await client.listLinks()).total).toBe(0);
  });

  it('has the books where it can bet', async () => {
    expect(await client.putMyBooks({ my_books: ['fanduel'] })).toEqual({ my_books: ['fanduel'] });
    expect(await client.getMyBooks()).toEqual({ my_books: ['fanduel'] });
    expect(await client.putMyBooks({ my_books: null })).toEqual({ my_books: null });
  });

  it('asks for a key without one', async () => {
    const { device_code: code } = (await client.startTrial({ client_name: 'a program' })) as DeviceRequest;
    await expect(client.finishTrial({ device_code: code })).rejects.toMatchObject({ code: 'authorization_pending' });
  });

  it('has its usage and its ledger', async () => {
    const { days } = await client.getUsage({ days: 2 });
    expect(days).toHaveLength(2);
    const { data } = await client.listLedger({ limit: 500 });
    expect(data.map(({ type }) => type)).toContain('top_up');
    const walked: LedgerLine[] = await taken(client.each.listLedger({ limit: 500 }));
    expect(walked.at(-1)).toEqual(data.at(-1));
  });
});

it('every operation is called above', () => {
  const methodOf = (name: string) => name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  const missing = operations.map(({ name }) => methodOf(name)).filter((method) => !called.has(method));
  expect(missing, 'test/api/client/every-operation.test.ts must call them').toEqual([]);
});
