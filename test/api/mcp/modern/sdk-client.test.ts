import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { feedGames, type Games } from '../../agent/games.ts';
import { type AgentServer, serveAgent } from '../../agent/serving.ts';
import { score } from '../../spec/messages.ts';

let server: AgentServer;
let games: Games;
let client: Client;
beforeAll(async () => {
  server = await serveAgent();
  games = await feedGames(server);
  client = await connected({ versionNegotiation: { mode: 'auto' } });
});
afterAll(async () => {
  await client.close();
  await server.close();
});

async function connected(options: ClientOptions, key = server.key): Promise<Client> {
  const opened = new Client({ name: 'test', version: '1' }, options);
  const headers = { authorization: `Bearer ${key}` };
  await opened.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit: { headers } }));
  return opened;
}

it("the SDK's client of this revision finds it, and everything that the server has", async () => {
  expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
  expect(client.getServerCapabilities()).toEqual({
    tools: {},
    resources: { subscribe: true },
    prompts: {},
    completions: {},
  });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('get_event');
  const { resources } = await client.listResources();
  const catalogue = await client.readResource({ uri: 'ledgerline://catalogue' });
  expect(resources.map(({ uri }) => uri)).toContain(catalogue.contents[0]!.uri);
  expect((await client.listPrompts()).prompts).toHaveLength(4);
});

it("the SDK's client of this revision gets what REST answers", async () => {
  const rest = await server.get(`/v1/events/${games.full}`);
  const { structuredContent, _meta } = await client.callTool({ name: 'get_event', arguments: { id: games.full } });
  expect(structuredContent).toEqual(rest);
  expect(_meta).toMatchObject({ credits_used: 1, 'ledgerline/creditsUsed': 1 });
});

it("the SDK's client of this revision is told of a change", async () => {
  const uri = `ledgerline://events/${games.full}/score`;
  const told: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void told.push(params.uri));
  const listening = await client.listen({ resourceSubscriptions: [uri] });
  await server.feed(
    score('full', 'inprogress', ['10', '3'], { at: '2026-03-01T11:45:00Z', period: '1', clock: '06:00' }),
  );
  await expect.poll(() => told).toEqual([uri]);
  await listening.close();
  await expect.poll(() => server.agentStreams.size).toBe(0);
});

it("the SDK's second client speaks the revisions before, too", async () => {
  const legacy = await connected({});
  expect(legacy.getNegotiatedProtocolVersion()).toBe('2025-11-25');
  const { tools } = await legacy.listTools();
  expect(tools.length).toBeGreaterThan(40);
  await legacy.close();
});

it('a wrong key is refused', async () => {
  await expect(connected({ versionNegotiation: { mode: 'auto' } }, 'llk_wrong.key')).rejects.toThrow();
});
