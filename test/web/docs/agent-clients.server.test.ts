import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { listenBelow32768 } from '../../api/http/listening.ts';
import { installClients, runProgram } from '../../api/mcp/outside-clients.ts';
import { dayOfSport } from '../../api/openapi/day-of-sport.ts';
import { startServer, temporaryFolder } from '../../server/cli/launching.ts';
import { hasPython, pythonVenv } from '../../support/python-venv.ts';
import { exampleOf, filledIn, ROOT, SHOWN_URL } from './agent-clients-page.ts';

// What docs/agent-clients.md shows runs here, as far as it can: programs of others, against a server that runs.

const MINUTES = 60_000;
const INGEST_KEY = 'ingest';
const ANSWER = 'There is a game.';
const run = promisify(execFile);

async function started() {
  const folder = temporaryFolder();
  const server = await startServer(folder, { INGEST_KEY });
  const response = await fetch(`${server.url}/ingest/v1/messages?wait=projected`, {
    method: 'POST',
    headers: { authorization: `Bearer ${INGEST_KEY}`, 'content-type': 'application/x-ndjson' },
    body: dayOfSport(Date.now())
      .map((message) => `${JSON.stringify(message)}\n`)
      .join(''),
  });
  expect(response.status).toBe(200);
  return { ...server, folder };
}

/** A double of the model: it calls a tool once, and then answers. */
async function modelDouble() {
  const offered: string[][] = [];
  const results: string[] = [];
  const http = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { tools, input } = JSON.parse(body) as { tools: { name: string }[]; input: any[] };
    offered.push(tools.map(({ name }) => name));
    const result = input.find(({ type }) => type === 'function_call_output');
    if (result) results.push(JSON.stringify(result.output));
    const call = {
      type: 'function_call',
      id: 'fc_1',
      call_id: 'call_1',
      name: 'list_events',
      arguments: '{"limit":1}',
    };
    const content = [{ type: 'output_text', text: ANSWER, annotations: [] }];
    const said = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content };
    const usage = {
      ...{ input_tokens: 1, output_tokens: 1, total_tokens: 2 },
      ...{ input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } },
    };
    const answer = {
      ...{ id: 'resp_1', object: 'response', created_at: 0, status: 'completed', model: 'double', usage },
      ...{ output: [result ? said : call], parallel_tool_calls: true, tool_choice: 'auto', tools: [] },
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  const port = await listenBelow32768(http);
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const env = {
    OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
    OPENAI_API_KEY: 'none',
    OPENAI_AGENTS_DISABLE_TRACING: '1',
  };
  return { env, offered, results };
}

function expectToolUsed({ offered, results }: Awaited<ReturnType<typeof modelDouble>>): void {
  expect(offered[0]).toHaveLength(12);
  expect(results).toHaveLength(1);
  expect(results[0]).toContain('starts_at');
}

describe.skipIf(!hasPython('the OpenAI Agents SDK for Python'))('the OpenAI Agents SDK for Python', () => {
  const venv = pythonVenv('openai-agents', join(import.meta.dirname, 'requirements.txt'));
  beforeAll(venv.install, 10 * MINUTES);

  it(
    'runs the program of the page, with a double of the model',
    async () => {
      const { url, key, folder } = await started();
      const model = await modelDouble();
      const file = join(folder, 'agent.py');
      writeFileSync(file, filledIn(exampleOf('OpenAI Agents SDK', 'python'), url, key));
      const env = { ...model.env, LEDGERLINE_API_KEY: key };
      expect(await venv.run('python', [file], { env, timeout: MINUTES })).toBe(`${ANSWER}\n`);
      expectToolUsed(model);
    },
    3 * MINUTES,
  );
});

describe('the OpenAI Agents SDK for JavaScript', () => {
  beforeAll(async () => void (await installClients()), 10 * MINUTES);

  it(
    'runs the program of the page, with a double of the model',
    async () => {
      const { url, key, folder } = await started();
      const model = await modelDouble();
      const code = exampleOf('OpenAI Agents SDK', 'js').replaceAll('http://localhost:3000', url);
      const ran = await runProgram(folder, 'openai-agent', code, { ...model.env, LEDGERLINE_API_KEY: key });
      expect([ran.code, ran.stdout, ran.stderr]).toEqual([0, `${ANSWER}\n`, '']);
      expectToolUsed(model);
    },
    3 * MINUTES,
  );
});

describe('Claude Desktop', () => {
  it('would start the command of the page, and gets the tools', async () => {
    const { url, key } = await started();
    const { ledgerline } = JSON.parse(filledIn(exampleOf('Claude Desktop', 'json'), url, key)).mcpServers;
    expect(ledgerline.command).toBe('ledgerline');
    // The installed program is this file.
    const args = [join(ROOT, 'src/server/bin/launch.mjs'), ...ledgerline.args];
    const env = { PATH: process.env['PATH']!, ...ledgerline.env };
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
    expect((await client.listTools()).tools).toHaveLength(12);
    await client.close();
  });
});

// Its program has 400 MB and a licence of its own, so it is not fetched: CLAUDE_CODE says where it is.
const CONNECTED = /ledgerline: .*\/mcp\?tools=core \(HTTP\) - . Connected/;
const claude = process.env['CLAUDE_CODE'];
describe.skipIf(claude === undefined)('Claude Code', () => {
  it(
    'takes the command of the page, and reaches the server',
    async () => {
      const { url, key, folder } = await started();
      const options = { cwd: folder, env: { HOME: folder, PATH: process.env['PATH'], CLAUDE: claude } };
      const command = filledIn(exampleOf('', 'sh'), url, key).replace(/^claude/, '"$CLAUDE"');
      await run('sh', ['-c', command], options);
      const { stdout } = await run(claude!, ['mcp', 'list'], options);
      expect(stdout).toMatch(CONNECTED);
    },
    2 * MINUTES,
  );

  it(
    'takes the file of the page, once its user has agreed, with the key of the variable',
    async () => {
      const { url, key, folder } = await started();
      writeFileSync(join(folder, '.mcp.json'), exampleOf('Claude Code', 'json').replaceAll(SHOWN_URL, url));
      mkdirSync(join(folder, '.claude'));
      writeFileSync(join(folder, '.claude/settings.local.json'), '{"enableAllProjectMcpServers":true}');
      const trusted = { projects: { [folder]: { hasTrustDialogAccepted: true } } };
      writeFileSync(join(folder, '.claude.json'), JSON.stringify(trusted));
      const list = async (LEDGERLINE_API_KEY: string) => {
        const env = { HOME: folder, PATH: process.env['PATH'], LEDGERLINE_API_KEY };
        return (await run(claude!, ['mcp', 'list'], { cwd: folder, env })).stdout;
      };
      expect(await list(key)).toMatch(CONNECTED);
      expect(await list('llk_wrong.key')).toContain('HTTP 401');
    },
    2 * MINUTES,
  );
});
