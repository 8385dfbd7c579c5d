import { afterAll, beforeAll, expect, it } from 'vitest';
import { operations } from '../../../src/api/operations/index.ts';
import { BASE_URL, type Served, serve } from '../../api/http/serving.ts';
import { rpc, say } from '../../api/mcp/mcp-client.ts';

let served: Served;
beforeAll(async () => {
  served = await serve({ operations });
});
afterAll(() => served.close());

it('/llms.txt tells a language model, without a key, where it is, how to call it, and every tool in a line', async () => {
  const response = await fetch(`${served.url}/llms.txt`);
  const text = await response.text();
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8']);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(16 * 1024);
  const lines = text.split('\n');
  expect(lines[0]).toBe('# Ledgerline');
  expect(lines[2]).toMatch(/^> ./);
  expect(lines).toContain(`- Base address: ${BASE_URL}`);
  expect(text).toContain(`${BASE_URL}/mcp?tools=core`);
  expect(text).toContain('Authorization: Bearer KEY');
  for (const link of ['/openapi.json', '/docs']) expect(text).toContain(`](${BASE_URL}${link})`);

  // The documentation, where a model can read it.
  const pages = [...text.matchAll(/\((https:\S+\/docs\/[\w-]+\.md)\)/g)].map(([, link]) => link!);
  expect(pages.length).toBeGreaterThan(15);
  for (const page of pages) {
    const answer = await fetch(page.replace(BASE_URL, served.url), { method: 'HEAD' });
    expect([page, answer.status]).toEqual([page, 200]);
  }

  const { tools } = (await say(served, rpc('tools/list'))).body.result;
  const named = lines.flatMap((line) => /^- \[(\w+)\]\(.*\/docs#\1\): /.exec(line)?.[1] ?? []);
  expect(named).toEqual(tools.map(({ name }: { name: string }) => name));
  for (const { description } of tools) expect(text).toContain(description);
});
