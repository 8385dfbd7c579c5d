import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { signedHeaders } from '../../../src/webhooks/http/webhook-signature.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { type AgentServer, serveAgent } from '../agent/serving.ts';
import { dayOfSport } from '../openapi/day-of-sport.ts';
import { score } from '../spec/messages.ts';

// What docs/client.md shows is run as one program, and must print what its comments say: `// → text`, several texts where
// a line is run more than once.

const ROOT = resolve(import.meta.dirname, '../../..');
const page = readFileSync(join(ROOT, 'docs/client.md'), 'utf8');
const blocks = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code!);
const shown = blocks.flatMap((code) => [...code.matchAll(/\/\/ → (.*)/g)].flatMap(([, texts]) => texts!.split(' → ')));
const program = blocks.join('\n');
const folder = temporaryFolder();
let server: AgentServer;
beforeAll(async () => {
  server = await serveAgent({ file: folder.path('data'), hosts: { 'example.com': ['93.184.215.14'] } });
  await server.feed(...dayOfSport(server.clock.time));
});
afterAll(() => server.close());

it('the blocks of docs/client.md hold to the types', async () => {
  writeFileSync(folder.path('program.ts'), program);
  const compilerOptions = {
    typeRoots: [join(ROOT, 'node_modules/@types')],
    paths: {
      'ledgerline/client': [join(ROOT, 'src/api/client/index.ts')],
      'eventsource-parser': [join(ROOT, 'node_modules/eventsource-parser')],
    },
  };
  const config = { extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: ['program.ts'], exclude: [] };
  writeFileSync(folder.path('tsconfig.json'), JSON.stringify(config));
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, '-p', folder.path('')]).catch(
    (error) => error,
  );
  expect(stdout).toBe('');
});

it('the blocks of docs/client.md print what they say', async () => {
  const file = folder.path('program.mjs');
  const { outputFiles } = await build({
    stdin: { contents: program, loader: 'ts', resolveDir: ROOT },
    alias: { 'ledgerline/client': join(ROOT, 'src/api/client/index.ts') },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
  });
  const here = outputFiles[0]!.text.replaceAll('http://localhost:3000', server.url);
  writeFileSync(file, here.replaceAll('llk_your.key', server.key));
  const printed: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((...texts: unknown[]) => void printed.push(texts.join(' ')));
  try {
    const loading = import(/* @vite-ignore */ pathToFileURL(file).href);
    await Promise.race([loading, scored()]);
    const { receive } = await loading;
    await receive(await webhook());
    expect((await receive(await webhook('another'))).status).toBe(400);
  } finally {
    log.mockRestore();
  }
  expect(printed).toEqual(shown);
});

/** A goal, and the end, once the program follows the game. Never resolves otherwise. */
async function scored(): Promise<void> {
  await vi.waitUntil(() => server.streams.size > 0, { timeout: 20_000 });
  await server.feed({ ...score('g2', 'final', ['3', '1'], { period: '3' }), at: '2026-03-01T12:00:00Z' });
}

/** A message to the subscription that the program has made. */
async function webhook(secret?: string): Promise<Request> {
  const { data } = await server.get('/v1/webhooks');
  const subscription = await server.webhookStore.find(data[0].id);
  const body = JSON.stringify({ type: 'score', timestamp: '2026-03-01T12:00:00Z', data: { event_id: 5 } });
  const signing = secret === undefined ? subscription!.secret : `whsec_${btoa(secret.repeat(8))}`;
  return new Request('https://example.com/ledgerline', {
    method: 'POST',
    headers: signedHeaders('msg_1', Date.now(), body, [signing]),
    body,
  });
}
