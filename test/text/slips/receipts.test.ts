import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { receiptLeaf } from '../../../src/domain/proof/receipt-leaf.ts';
import { hashOfLeaf } from '../../../src/domain/proof/sealed-leaf.ts';
import { type AgentServer, BOOTSTRAP_KEY, serveAgent } from '../../api/agent/serving.ts';
import { type Game, game } from '../../api/spec/events.ts';
import { NBA, NFL, schedule, score } from '../../api/spec/messages.ts';
import { type SpecServer, startServer } from '../../api/spec/server.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { stageSituation } from './settlement-cases.ts';

let server: SpecServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const gradeIt = async (legs: readonly object[], more: object = {}) =>
  (await server.post('/v1/grade/slip', { legs, ...more })).body;
const read = async (id: string) => (await server.ask(`/v1/grade/receipts/${id}`)).body;
const total = (one: Game, line: number) => ({ event_id: one.id, market_key: 'ou', side: 'over', line });
const ml = (one: Game) => ({ event_id: one.id, market_key: 'ml', side: 'home' });

describe('a receipt', () => {
  it('returns the original answer for free, and has a log position', async () => {
    const one = await game(server, NFL);
    await server.feed(one.score('final', ['27', '20']));
    const slip = await gradeIt([ml(one)]);
    const { status, body, credits } = await server.ask(`/v1/grade/receipts/${slip.receipt.id}`);
    expect([status, credits]).toEqual([200, 0]);
    expect(slip.receipt.id).toMatch(/^gr_[A-Za-z0-9_-]{22,}$/);
    expect(body).toEqual({
      ...slip.receipt,
      as_of: null,
      as_of_basis: 'recorded',
      request: { legs: [ml(one)], as_of_basis: 'recorded' },
      result: slip,
      seal: {
        salt: expect.stringMatching(/^[0-9a-f]{32}$/),
        leaf: hashOfLeaf(body.seal.salt, receiptLeaf(body)).toString('hex'),
      },
      superseded: false,
      superseded_by: null,
    });
    const record = await server.log.recordAt(BigInt(slip.receipt.position) as never);
    expect(record?.type).toBe('SlipGraded');
  });

  it('is not found by another account or id, and is 403 for a key without the sport', async () => {
    const one = await game(server, NFL);
    const { receipt } = await gradeIt([ml(one)]);
    const path = `/v1/grade/receipts/${receipt.id}`;
    const other = await server.newKey(['all']);
    expect((await server.ask(path, { key: other })).status).toBe(404);
    for (const id of ['gr_AAAAAAAAAAAAAAAAAAAAAA', 'nothing', '1']) {
      expect((await server.ask(`/v1/grade/receipts/${id}`)).status).toBe(404);
    }
  });

  it('names the records behind its legs: status and score, and for props the box', async () => {
    const { legs } = await stageSituation(server, {
      title: '',
      league: NBA,
      status: 'final',
      scores: ['100', '90'],
      box: { Star: { points: 20 } },
      legs: `ml home | won | - | x
        prop Star points over 19.5 | over | 20 | x`,
    });
    const slip = await gradeIt(legs);
    // Records of one batch are in the log in any order.
    const types = slip.legs.map(({ facts }: any) => facts.map(({ type }: any) => type).sort());
    expect(types).toEqual([['ScoreChanged'], ['BoxChanged', 'ScoreChanged']]);
    for (const fact of slip.legs[1].facts) {
      const record = (await server.log.recordAt(BigInt(fact.position) as never))!;
      expect(record).toMatchObject({
        type: fact.type,
        recordedAt: fact.recorded_at,
        data: { source: fact.source, at: fact.at },
      });
    }
  });
});

describe('a merge of the event of a leg', () => {
  it.each([
    ['in the same order', false],
    ['in the opposite order', true],
  ])('supersedes a receipt whose result it changes: the other event has the sides %s', async (_, isTurned) => {
    const one = await game(server, NFL);
    const sides = isTurned ? ([one.sides[1], one.sides[0]] as const) : one.sides;
    const other = { source: 'other' };
    await server.feed({ ...schedule(NFL, one.ref, sides, '2026-03-02T01:00:00Z'), ...other });
    const from = await server.eventId('other', one.ref);
    // What the other source says of it is wrong, and is corrected by the first.
    await server.feed({ ...score(one.ref, 'final', isTurned ? ['27', '20'] : ['20', '27']), ...other });
    await server.feed(one.score('final', ['27', '20'], { at: '2026-03-01T11:30:00Z' }));
    const home = { event_id: from, market_key: 'ml', side: isTurned ? 'away' : 'home' };
    const over = { event_id: from, market_key: 'ou', side: 'over', line: 40 };
    const slip = await gradeIt([home, over]);
    expect(slip.legs.map(({ result }: { result: string }) => result)).toEqual(['lost', 'over']);

    const at = `2026-03-01T12:0${isTurned ? 2 : 1}:00Z`;
    server.setClock(at);
    await server.feed({ kind: 'identity', source: 'operator', at, action: 'merge', what: 'event', from, into: one.id });

    const after = await read(slip.receipt.id);
    expect(after.superseded_by.legs).toMatchObject([{ leg: 0, from: 'lost', to: 'won' }]);
    expect(after.result).toEqual(slip);
    const again = await gradeIt([{ ...home, side: 'home' }]);
    expect(again.legs[0].market.event_id).toBe(one.id);
    expect(again.legs[0].result).toBe('won');
  });
});

describe('a correction', () => {
  it('supersedes the receipts that it changes and names its record, and stops when it is reverted', async () => {
    const one = await game(server, NFL);
    await server.feed(one.score('final', ['27', '20']));
    const slip = await gradeIt([total(one, 46.5), total(one, 47.5)]);
    await server.feed(one.score('final', ['27', '21']));
    const after = await read(slip.receipt.id);
    expect(after.superseded).toBe(true);
    expect(after.superseded_by.legs).toHaveLength(1);
    expect(after.superseded_by.legs[0]).toMatchObject({ leg: 1, from: 'under', to: 'over' });
    const [fact] = after.superseded_by.legs[0].facts;
    expect([fact.type, fact.recorded_at]).toEqual(['ScoreChanged', after.superseded_by.recorded_at]);
    expect(after.result).toEqual(slip);
    await server.feed(one.score('final', ['27', '20']));
    expect(await read(slip.receipt.id)).toMatchObject({ superseded: false, superseded_by: null });
  });

  it('does not affect pending legs and unchanged results', async () => {
    const one = await game(server, NFL);
    await server.feed(one.score('inprogress', ['3', '0'], { period: '1' }));
    const pending = await gradeIt([ml(one)]);
    await server.feed(one.score('final', ['27', '20']));
    const settled = await gradeIt([ml(one)]);
    await server.feed(one.score('final', ['28', '20']));
    for (const { receipt } of [pending, settled]) {
      expect(await read(receipt.id)).toMatchObject({ superseded: false, superseded_by: null });
    }
  });

  it('of a box supersedes only the props of the players concerned', async () => {
    const situation = {
      title: '',
      league: NBA,
      status: 'final',
      scores: ['100', '90'] as const,
      box: { Star: { points: 20 }, Other: { points: 11 } },
      legs: `prop Star points over 19.5 | over | 20 | x
        prop Other points over 10.5 | over | 11 | x`,
    };
    const { game: one, legs } = await stageSituation(server, situation);
    const [first, second] = [await gradeIt([legs[0]!]), await gradeIt([legs[1]!])];
    const names = await Promise.all(
      legs.map(async (leg: any) => (await server.get(`/v1/players/${leg.player_id}`)).full_name),
    );
    const rows = names.map((name, index) => ({
      ref: `ref ${name}`,
      name,
      role: 'home',
      stats: { points: [19, 11][index] },
    }));
    await server.feed({ kind: 'box', source: 'feed', at: one.nextAt(), ref: one.ref, players: rows, final: true });
    const read1 = await read(first.receipt.id);
    expect(read1.superseded_by.legs).toMatchObject([{ leg: 0, from: 'over', to: 'under' }]);
    expect(read1.superseded_by.legs[0].facts.map(({ type }: any) => type)).toEqual(['BoxChanged']);
    expect((await read(second.receipt.id)).superseded).toBe(false);
  });
});

describe('as of a moment', () => {
  it('a slip is graded by the knowledge of that moment, with the same result for ever', async () => {
    const one = await game(server, NFL);
    server.setClock('2026-03-01T12:10:00Z');
    await server.feed(one.score('final', ['27', '20']));
    server.setClock('2026-03-01T12:20:00Z');
    const legs = [ml(one), total(one, 47.5)];
    const then = { as_of: '2026-03-01T12:15:00Z' };
    const [now, asOf] = [await gradeIt(legs), await gradeIt(legs, then)];
    expect(asOf.legs).toEqual(now.legs);
    await server.feed(one.score('final', ['28', '20']));
    const again = await gradeIt(legs, then);
    expect(again.legs).toEqual(now.legs);
    expect((await gradeIt(legs)).legs[1].result).toBe('over');
    expect((await gradeIt(legs, { as_of: '2026-03-01T12:05:00Z' })).status).toBe('pending');
    expect((await gradeIt(legs, { as_of: '2026-02-01T12:05:00Z' })).status).toBe('unmapped');
    const observed = await gradeIt(legs, { as_of: '2026-03-01T08:00:30Z', as_of_basis: 'observed' });
    expect(observed.legs[0].result).toBe('in_progress');
    expect(await read(again.receipt.id)).toMatchObject({ ...then, superseded: true });
  });
});

describe('accounts', () => {
  let agent: AgentServer;
  const folder = temporaryFolder();
  afterAll(() => agent?.close());
  const post = (key: string, headers: Record<string, string> = {}, legs: readonly object[] = [ml(one)]) =>
    agent.ask('/v1/grade/slip', {
      method: 'POST',
      key,
      body: { legs },
      headers: { 'content-type': 'application/json', ...headers },
    });
  let one: Game;

  it('a receipt survives a restart and a rebuild; any key of the account reads it', async () => {
    agent = await serveAgent({ file: folder.path('data') });
    one = await game(agent as never, NFL);
    await agent.feed(one.score('final', ['27', '20']));
    const { key, record } = await agent.newKey();
    const first = await post(key);
    expect([first.status, first.credits]).toEqual([200, 1]);
    const { key: second } = await agent.newKey({ account: { id: record.accountId } });
    await agent.close();
    agent = await serveAgent({ file: folder.path('data') });
    await agent.runner.rebuild();
    const path = `/v1/grade/receipts/${first.body.receipt.id}`;
    const again = await agent.ask(path, { key });
    expect([again.status, again.body.result, again.body.superseded]).toEqual([200, first.body, false]);
    expect((await agent.ask(path, { key: second })).status).toBe(200);
    expect((await agent.ask(path, { key: (await agent.newKey()).key })).status).toBe(404);
  });

  it('a repeated Idempotency-Key returns the first answer with its receipt, and is not charged', async () => {
    const { key } = await agent.newKey();
    const headers = { 'idempotency-key': 'slip-1' };
    const [first, again] = [await post(key, headers), await post(key, headers)];
    expect([again.status, again.credits, again.body]).toEqual([200, 0, first.body]);
    expect((await post(key, headers, [total(one, 3)])).status).toBe(422);
  });

  it('three slips of a key are graded at once, over REST and MCP together, and a fourth is refused', async () => {
    const { key } = await agent.newKey({ plan: 'growth' });
    const many = Array.from({ length: 8 }, () => ml(one));
    const over = (n: number) => (n % 2 === 0 ? post(key, {}, many) : callTool(agent.url, key, many));
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => over(n)));
    const codes = answers.map(({ status, body }) => body.error?.code ?? status);
    expect(new Set(codes)).toEqual(new Set([200, 'concurrency_limit_exceeded']));
    expect((await post(key)).status).toBe(200);
  });

  it('the operator’s own key has receipts too', async () => {
    const { status, body } = await post(BOOTSTRAP_KEY);
    expect([status, body.receipt.id.slice(0, 3)]).toEqual([200, 'gr_']);
    expect((await agent.ask(`/v1/grade/receipts/${body.receipt.id}`, { key: BOOTSTRAP_KEY })).status).toBe(200);
  });
});

async function callTool(url: string, key: string, legs: readonly object[]): Promise<{ status: number; body: any }> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'grade_slip', arguments: { legs } },
    }),
  });
  const { result } = JSON.parse(await response.text());
  return { status: result.isError ? 429 : 200, body: result.structuredContent ?? JSON.parse(result.content[0].text) };
}
