import { resolve } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { signedHeaders } from '../../../src/webhooks/http/webhook-signature.ts';
import { json } from './scripted-fetch.ts';

/** What browsers have, and the client uses. */
const WEB = [
  'AbortController',
  'crypto',
  'Headers',
  'Response',
  'TextDecoder',
  'TextEncoder',
  'URL',
  'URLSearchParams',
];
const web = [...WEB, 'atob', 'clearTimeout', 'setTimeout'].map((name) => [name, Reflect.get(globalThis, name)]);

it('a bundle for browsers holds the client and a parser alone, and works where Node is not', async () => {
  const { outputFiles, metafile } = await build({
    absWorkingDir: resolve(import.meta.dirname, '../../..'),
    stdin: { contents: `export * from './src/api/client/index.ts'`, resolveDir: '.' },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    logLevel: 'silent',
    // A built-in of Node would not be found.
    platform: 'browser',
    format: 'iife',
    globalName: 'ledgerline',
  });
  const inputs = Object.keys(metafile.inputs).filter(
    (name) => !name.startsWith('src/api/client/') && name !== '<stdin>',
  );
  expect(inputs).toEqual(['node_modules/eventsource-parser/dist/index.js']);
  expect(outputFiles[0]!.contents.length).toBeLessThan(20_000);

  const asked: string[] = [];
  const fetch = async (url: string, { headers }: { headers: Headers }) => {
    asked.push(`${url} ${headers.get('authorization')} ${headers.get('idempotency-key')?.length}`);
    return json({ id: 1 });
  };
  const secret = `whsec_${btoa('a'.repeat(32))}`;
  const context = createContext({
    ...Object.fromEntries(web),
    fetch,
    secret,
    headers: signedHeaders('m', Date.now(), '{"type":"test"}', [secret]),
  });
  runInContext(outputFiles[0]!.text, context);
  const answers = await runInContext(
    `const client = ledgerline.createClient({ baseUrl: 'https://sports.example', apiKey: 'k' });
    Promise.all([
      client.createWebhook({ url: 'https://x.example' }),
      ledgerline.verifyWebhook(secret, headers, '{"type":"test"}'),
    ])`,
    context,
  );
  expect(answers).toEqual([{ id: 1 }, { type: 'test' }]);
  expect(asked).toEqual(['https://sports.example/v1/webhooks Bearer k 36']);
});
