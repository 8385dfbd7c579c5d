import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type AgentServer, serveAgent } from '../../api/agent/serving.ts';
import { exampleOf, filledIn, ROOT, SHOWN_ENDPOINT } from './agent-clients-page.ts';

// The forms are those that the makers of the clients have published, in our words: a member that is misspelt or
// misplaced would be ignored by some of these clients without a word.

const texts = z.record(z.string(), z.string());
const endpoint = z.url({ protocol: /^https?$/ });

/** https://code.claude.com/docs/en/mcp: `.mcp.json` of a project. `type` must be there for a server by HTTP. */
const claudeCode = z.strictObject({
  mcpServers: z.record(
    z.string().regex(/^[\w-]+$/),
    z.strictObject({ type: z.enum(['http', 'sse']), url: endpoint, headers: texts.optional() }),
  ),
});

/** https://modelcontextprotocol.io/docs/develop/connect-local-servers: `claude_desktop_config.json` starts programs. */
const claudeDesktop = z.strictObject({
  mcpServers: z.record(
    z.string(),
    z.strictObject({ command: z.string(), args: z.array(z.string()).optional(), env: texts.optional() }),
  ),
});

/** https://cursor.com/docs/mcp: a server by HTTP has `url` and `headers`; `${env:NAME}` is filled in in both. */
const cursor = z.strictObject({
  mcpServers: z.record(z.string(), z.strictObject({ url: endpoint, headers: texts.optional() })),
});

/** `mcpServerSchema` and `inputsSchema` in the sources of VS Code; both allow no other members. */
const vsCode = z.strictObject({
  inputs: z
    .array(
      z.strictObject({
        id: z.string(),
        type: z.literal('promptString'),
        description: z.string(),
        default: z.string().optional(),
        password: z.boolean().optional(),
      }),
    )
    .optional(),
  servers: z.record(
    z.string(),
    z.strictObject({ type: z.enum(['http', 'sse']).optional(), url: endpoint, headers: texts.optional() }),
  ),
});

const FORMS = [
  ['Claude Code', claudeCode],
  ['Claude Desktop', claudeDesktop],
  ['Cursor', cursor],
  ['VS Code', vsCode],
] as const;
const BY_HTTP = FORMS.filter(([name]) => name !== 'Claude Desktop');

let server: AgentServer;
beforeAll(async () => {
  server = await serveAgent();
});
afterAll(() => server.close());

it.each(FORMS)('the example for %s holds to its published form', (name, form) => {
  const value = JSON.parse(exampleOf(name, 'json'));
  expect(form.safeParse(value).error).toBeUndefined();
  expect(form.safeParse({ ...value, more: {} }).success).toBe(false);
});

it('VS Code is asked for the input that the header names', () => {
  const { inputs, servers } = vsCode.parse(JSON.parse(exampleOf('VS Code', 'json')));
  expect(JSON.stringify(servers)).toContain(`\${input:${inputs![0]!.id}}`);
});

describe.each(BY_HTTP)('what the example for %s names', (name) => {
  const configured = () => {
    const value = JSON.parse(filledIn(exampleOf(name, 'json'), server.url, server.key));
    const { url, headers } = (value.mcpServers ?? value.servers).ledgerline;
    return { url: new URL(url), options: { requestInit: { headers } } };
  };

  it('reaches the tools by the client of the SDK v1', async () => {
    const { url, options } = configured();
    const client = new LegacyClient({ name: 'test', version: '1' });
    await client.connect(new LegacyTransport(url, options) as Parameters<LegacyClient['connect']>[0]);
    expect((await client.listTools()).tools).toHaveLength(12);
    await client.close();
  });

  it('reaches them by the client of the SDK v2', async () => {
    const { url, options } = configured();
    const client = new ModernClient({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new ModernTransport(url, options));
    expect((await client.listTools()).tools).toHaveLength(12);
    await client.close();
  });
});

it('every address and command that is printed for agents names the small toolset', () => {
  const pages = ['README.md', ...readdirSync(join(ROOT, 'docs')).filter((file) => file.endsWith('.md'))];
  const printed = pages.flatMap((file) => {
    const text = readFileSync(join(ROOT, file === 'README.md' ? file : `docs/${file}`), 'utf8');
    return [...text.matchAll(/\S*localhost:3000\/mcp\b\S*/g)].map(([address]) => `${file}: ${address}`);
  });
  expect(printed.length).toBeGreaterThan(15);
  expect(printed.filter((address) => !address.includes('/mcp?tools=core'))).toEqual([]);
  for (const language of ['python', 'js']) {
    expect(exampleOf('OpenAI Agents SDK', language)).toContain(SHOWN_ENDPOINT);
  }
});
