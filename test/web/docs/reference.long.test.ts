import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument } from '../../../src/api/openapi/openapi-document.ts';
import { operations } from '../../../src/api/operations/index.ts';
import { curlExample } from '../../../src/web/docs/curl-example.ts';
import type { ApiDocument, PathOperation } from '../../../src/web/docs/openapi-types.ts';
import { referencePage } from '../../../src/web/docs/reference-page.ts';
import { BASE_URL, type Served, serve } from '../../api/http/serving.ts';

const TEXT_IDS: Readonly<Record<string, string>> = {
  get_grade_receipt: 'gr_1',
  get_experiment: 'ex_0_AAAAAAAAAAAAAAAAAAAAAA',
  end_experiment: 'ex_0_AAAAAAAAAAAAAAAAAAAAAA',
};

let served: Served;
let page = '';
beforeAll(async () => {
  served = await serve({ operations });
  page = await (await fetch(`${served.url}/docs`)).text();
});
afterAll(() => served.close());

const documentOf = async () => (await openApiDocument(operations, BASE_URL)) as unknown as ApiDocument;
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found!);

describe('the reference at /docs', () => {
  it.each(operations)(
    'shows $name: its path, price, example, parameters and errors',
    async ({ name, method, path, cost }) => {
      const start = page.indexOf(`<section class="operation" id="${name}"`);
      const section = page.slice(start, page.indexOf('</section>', start));
      const { parameters = [], responses } = (await documentOf()).paths[path]![method.toLowerCase()]!;
      expect(start).toBeGreaterThan(0);
      expect(section).toContain(`<code>${path}</code>`);
      expect(section).toContain(cost.description.split('`')[0]);
      const address = path.replace('{id}', TEXT_IDS[name] ?? '1').replace('{slug}', 'epl');
      const hasToSay = parameters.filter(({ in: place, required }) => place === 'query' && required);
      const search =
        hasToSay.length > 0
          ? `?${hasToSay.map((one) => `${one.name}=${one.name === 'by' ? 'book' : 'nfl'}`).join('&amp;')}`
          : '';
      expect(section).toContain(`${BASE_URL}${address}${search}&#39;`);
      for (const one of parameters.filter(({ in: place }) => place !== 'header')) {
        expect(section).toContain(`<code class="name">${one.name}</code>`);
      }
      for (const code of Object.values(responses).flatMap((one) => one['x-error-codes'] ?? [])) {
        expect(section).toContain(`href="/docs/errors/${code}"`);
      }
    },
  );

  it('tells types, defaults, bounds and examples of parameters', () => {
    const section = page.slice(page.indexOf('id="get_odds_history"'));
    const parameter = (name: string) => /[\s\S]*?<\/li>/.exec(section.slice(section.indexOf(`>${name}</code>`)))![0];
    expect(parameter('limit')).toMatch(/integer.*Default <code>50<\/code>\. 1 to 200/);
    expect(parameter('bookmaker')).toContain('<code>fanduel,draftkings</code>');
    expect(parameter('as_of_basis')).toContain('One of <code>recorded</code>, <code>observed</code>');
  });

  it('holds no anchor twice, and leads nowhere that is not there', async () => {
    const ids = matches(page, /\bid="([^"]*)"/g);
    expect(ids.length).toBe(new Set(ids).size);
    for (const anchor of matches(page, /href="#([^"]*)"/g)) expect(ids).toContain(anchor);
    for (const path of new Set(matches(page, /(?:href|src)="(\/[^"]*)"/g))) {
      // The live page is not part of what is served here, and the forecasts have no store.
      if (path !== '/' && !path.startsWith('/forecasts'))
        expect([path, (await fetch(served.url + path)).status]).toEqual([path, 200]);
    }
  });

  it('loads its own styles and scripts, and nothing else; its policy allows no more', async () => {
    const loaded = matches(page, /<(?:link|script|img)[^>]*(?:href|src)="([^"]*)"/g);
    expect(loaded.filter((address) => !address.startsWith('data:image/svg'))).toHaveLength(5);
    for (const address of loaded) expect(address).toMatch(/^(?:data:image\/svg|\/(?:docs|site)\/assets\/)/);
    expect(page).not.toMatch(/<style|<script>|\son\w+=|\sstyle=/);
    const policy = (await fetch(`${served.url}/docs`)).headers.get('content-security-policy');
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(policy).not.toContain('unsafe');
  });

  it('is asked for by its tag, and its parts are kept', async () => {
    const first = await fetch(`${served.url}/docs`);
    expect(first.headers.get('cache-control')).toBe('no-cache');
    const again = await fetch(`${served.url}/docs/`, { headers: { 'if-none-match': first.headers.get('etag')! } });
    expect(again.status).toBe(304);
    for (const path of matches(page, /"(\/docs\/assets\/[^"]*)"/g)) {
      expect((await fetch(served.url + path)).headers.get('cache-control')).toContain('immutable');
    }
    expect((await fetch(`${served.url}/docs`, { method: 'POST' })).status).toBe(405);
  });

  it('lets no text of the document become markup', async () => {
    const evil = `<img src=x onerror=alert(1)>"'&\`<b>\``;
    const { components, paths, ...rest } = await documentOf();
    const operation = {
      ...paths['/v1/sports']!['get']!,
      operationId: evil,
      summary: evil,
      description: evil,
      tags: [evil],
    };
    const parameter = { name: evil, in: 'query' as const, description: evil, schema: { default: evil, enum: [evil] } };
    const { body } = referencePage({
      ...rest,
      info: { title: evil, version: evil, description: evil },
      servers: [{ url: evil }],
      tags: [{ name: evil }],
      paths: { [`/${evil}`]: { get: { ...operation, parameters: [parameter] } } },
      components: { ...components, schemas: { [evil]: { properties: { [evil]: { description: evil } } } } },
    });
    expect(body).not.toContain('<img');
    expect(body).not.toContain('<b>');
    expect(body).not.toMatch(/="[^"]*[<>]/);
  });
});

describe('an example', () => {
  const placed = (more: Partial<PathOperation['operation']>): PathOperation => ({
    method: 'GET',
    path: '/v1/things/{id}',
    operation: { operationId: 'x', summary: '', description: '', tags: [], responses: {}, ...more },
  });

  it('holds what is required and nothing else', () => {
    const id = { name: 'id', in: 'path' as const, required: true, schema: { type: 'integer' } };
    const color = { name: 'color', in: 'query' as const, required: true, schema: { examples: ['dark blue'] } };
    const size = { name: 'size', in: 'query' as const, schema: { type: 'integer' } };
    expect(curlExample(placed({ parameters: [id, color, size] }), 'http://x')).toBe(
      `curl 'http://x/v1/things/1?color=dark%20blue' \\\n  -H "Authorization: Bearer $KEY"`,
    );
  });

  it('is a whole body, quoted for the shell', () => {
    const schema = { type: 'object', required: ['name'], properties: { name: { examples: ["it's"] }, more: {} } };
    const line = curlExample(
      { ...placed({ requestBody: { content: { 'application/json': { schema } } } }), method: 'POST' },
      '',
    );
    expect(line).toContain(`-d '{"name":"it'\\''s"}'`);
  });
});
