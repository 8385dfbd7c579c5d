import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { feedGames, type Games } from '../agent/games.ts';
import { type AgentServer, serveAgent } from '../agent/serving.ts';

let server: AgentServer;
let games: Games;
let client: Client;
beforeAll(async () => {
  server = await serveAgent();
  games = await feedGames(server);
  client = await connected(server.key);
});
afterAll(async () => {
  await client.close();
  await server.close();
});

async function connected(key: string): Promise<Client> {
  const opened = new Client({ name: 'test', version: '1' });
  const headers = { authorization: `Bearer ${key}` };
  // Its types do not allow for a session that is undefined.
  const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit: { headers } });
  await opened.connect(transport as Parameters<Client['connect']>[0]);
  return opened;
}

it("the SDK's client finds tools, and no more", async () => {
  expect(client.getServerVersion()).toMatchObject({ name: 'ledgerline', title: 'Ledgerline' });
  expect(client.getServerCapabilities()).toEqual({ tools: {} });
  expect(client.getInstructions()).toContain('credits');
  await client.ping();
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('get_event');
});

it("the SDK's client validates every answer against its schema", async () => {
  await client.listTools();
  const rest = await server.get(`/v1/events/${games.full}`);
  const { structuredContent, _meta } = await client.callTool({ name: 'get_event', arguments: { id: games.full } });
  expect(structuredContent).toEqual(rest);
  expect(_meta).toEqual({ credits_used: 1 });
});

it("the SDK's client hands an error of a tool on, and does not throw", async () => {
  await client.listTools();
  const result = await client.callTool({ name: 'get_event', arguments: { id: games.unknown } });
  expect(result.isError).toBe(true);
  const [{ text }] = result.content as [{ text: string }];
  expect(JSON.parse(text).error).toMatchObject({ status: 404, code: 'not_found' });
});

it("the SDK's client gets an error if the protocol is broken, and if the key is wrong", async () => {
  await expect(client.callTool({ name: 'no_such_tool' })).rejects.toMatchObject({ code: -32602 });
  await expect(client.listResources()).rejects.toThrow();
  await expect(connected('llk_wrong.key')).rejects.toMatchObject({ code: 401 });
});
