import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it } from 'vitest';
import { dayOfSport } from '../../api/openapi/day-of-sport.ts';
import { launch, run, startServer, temporaryFolder } from './launching.ts';

// The command as agents start it, between the clients of both SDKs and a server that runs.

const LAUNCHER = fileURLToPath(new URL('../../../src/server/bin/launch.mjs', import.meta.url));
const INGEST_KEY = 'ingest';
const INFO = { name: 'test', version: '1' };

async function started() {
  const server = await startServer(temporaryFolder(), { INGEST_KEY });
  const ingest = async (messages: readonly unknown[]) => {
    const response = await fetch(`${server.url}/ingest/v1/messages?wait=projected`, {
      method: 'POST',
      headers: { authorization: `Bearer ${INGEST_KEY}`, 'content-type': 'application/x-ndjson' },
      body: messages.map((message) => `${JSON.stringify(message)}\n`).join(''),
    });
    expect(response.status).toBe(200);
  };
  await ingest(dayOfSport(Date.now()));
  const env = { PATH: process.env['PATH']!, LEDGERLINE_URL: server.url, LEDGERLINE_API_KEY: server.key };
  return { ...server, ingest, start: { command: process.execPath, args: [LAUNCHER, 'mcp'], env } };
}

describe('the command mcp', () => {
  it('gives the client of the SDK v1 the tools of core, and answers', async () => {
    const { start } = await started();
    const client = new LegacyClient(INFO);
    await client.connect(new LegacyTransport(start) as Parameters<LegacyClient['connect']>[0]);
    await client.ping();
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(12);
    const { structuredContent } = await client.callTool({ name: 'list_events', arguments: { limit: 2 } });
    expect((structuredContent as { events: unknown[] }).events).toHaveLength(2);
    await client.close();
  });

  it('gives the client of the SDK v2 resources, prompts and changes too', async () => {
    const { start, ingest } = await started();
    const client = new ModernClient(INFO, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new ModernTransport(start));
    expect(client.getServerVersion()).toMatchObject({ name: 'ledgerline' });
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(12);
    expect((await client.listPrompts()).prompts.length).toBeGreaterThan(0);
    const events = await client.callTool({ name: 'list_events', arguments: { limit: 1 } });
    const { id } = (events.structuredContent as { events: { id: number }[] }).events[0]!;
    const uri = `ledgerline://events/${id}/odds`;
    const read = await client.readResource({ uri });
    expect(JSON.parse((read.contents[0] as { text: string }).text).event_id).toBe(id);

    const changed: string[] = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => void changed.push(params.uri));
    const all = Array.from({ length: 100 }, (_, index) => `ledgerline://events/${index + 1}/odds`);
    const subscription = await client.listen({ resourceSubscriptions: all });
    expect(subscription.honoredFilter.resourceSubscriptions).toContain(uri);
    await ingest(dayOfSport(Date.now() + 1000));
    await expect.poll(() => changed.length).toBeGreaterThan(0);
    await subscription.close();
    await client.close();
  });

  it('ends with its input, and its key stands in no list of processes', async () => {
    const { start, key } = await started();
    const { child, ended, output } = launch(['mcp'], start.env);
    child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    await expect.poll(output).toContain('"id":1');
    expect(readFileSync(`/proc/${child.pid}/cmdline`, 'utf8')).not.toContain(key);
    child.stdin.end();
    const { code, stdout, stderr } = await ended;
    expect([code, stderr, JSON.parse(stdout)]).toEqual([0, '', { jsonrpc: '2.0', id: 1, result: {} }]);
  });

  it.each([
    [['--url', 'nonsense'], 'the address of the server must be one of http or https: nonsense'],
    [['--key', 'two words'], 'the API key has characters that no key has'],
    [['more'], 'mcp takes no more'],
  ])('refuses %j with one line', async (args, text) => {
    const { code, stdout, stderr } = await run(['mcp', ...args]);
    expect([code, stdout, stderr]).toEqual([2, '', `${text} (--help tells more)\n`]);
  });
});
