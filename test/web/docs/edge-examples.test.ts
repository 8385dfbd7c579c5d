import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkSeals } from '../../../src/domain/proof/check-seals.ts';
import { type AgentServer, serveAgent } from '../../api/agent/serving.ts';
import { NBA, schedule, score } from '../../api/spec/messages.ts';

/** The examples of pages for people who bet, run as they stand there. */

const DOCS = resolve(import.meta.dirname, '../../../docs');
const DAY = 86_400_000;
let server: AgentServer;
beforeAll(async () => {
  server = await serveAgent({ time: Date.parse('2026-11-28T12:00:00Z') });
  const [start, end] = [{ at: '2026-11-20T00:00:00Z' }, { at: '2026-11-28T06:00:00Z' }];
  await server.feed(
    schedule(NBA, 'g1', ['Los Angeles Lakers', 'Boston Celtics'], '2026-11-28T03:30:00Z', start),
    score('g1', 'final', ['112', '104'], end),
  );
});
afterAll(() => server.close());

interface Example {
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
}

/** The calls of a page, in their order: `curl` and its short form `ll`. */
function examplesOf(page: string): Example[] {
  const blocks = [...readFileSync(join(DOCS, page), 'utf8').matchAll(/```sh\n(.*?)```/gs)].map(([, text]) => text!);
  const commands = blocks.flatMap((text) => text.replaceAll('\\\n', ' ').split(/\n(?=curl |ll )/));
  return commands
    .filter((command) => /^(curl|ll) /.test(command))
    .map((command) => {
      const [, path = ''] = /(?:localhost:3000|\$BASE)(\/[^\s'"]*)/.exec(command) ?? [];
      const body = /-d '(.*?)'/s.exec(command)?.[1];
      const method = /-X (\w+)/.exec(command)?.[1] ?? (body === undefined ? 'GET' : 'POST');
      return { method, path, body };
    });
}

const call = ({ method, path, body }: Example) =>
  server.ask(path, { method, headers: JSON_BODY, ...(body && { body }) });
const JSON_BODY = { 'content-type': 'application/json' };

it('docs/rules.md grades a slip by the rules of a house', async () => {
  const [example] = examplesOf('rules.md');
  const { status, body } = await call(example!);
  expect([status, body.rules.book, body.legs.map(({ result }: any) => result)]).toEqual([200, 'bodog', ['won']]);
});

it('docs/my-books.md sets a list, which the next call goes by', async () => {
  const [put, scan, ...more] = examplesOf('my-books.md');
  expect(more).toEqual([]);
  const set = await call(put!);
  expect([set.status, set.body]).toEqual([200, { my_books: ['draftkings', 'fanduel'] }]);
  expect(readFileSync(join(DOCS, 'my-books.md'), 'utf8')).toContain(`# ${JSON.stringify(set.body)}`);
  expect(await call(scan!)).toMatchObject({ status: 200, body: { opportunities: [] } });
});

it('docs/experiments.md posts an experiment of which everything is understood', async () => {
  const [example, ...more] = examplesOf('experiments.md');
  expect(more).toEqual([]);
  const { status, body } = await call(example!);
  expect([status, Object.keys(body).sort()]).toEqual([201, ['hash', 'id']]);
  expect(await server.get(`/v1/experiments/${body.id}`)).toMatchObject({ not_understood: [], state: 'open' });
});

it('docs/proof.md fetches the seal of its day, and checks it', async () => {
  await server.post('/v1/grade/slip', { text: 'Lakers -4.5 last night' });
  server.clock.time += DAY;
  await server.seals.check();
  const [latest, day, ...more] = examplesOf('proof.md');
  expect(more).toEqual([]);
  const values = await Promise.all(
    [day!, latest!].map(async ({ path }) => (await fetch(`${server.url}${path}`)).json()),
  );
  const checked = checkSeals(values.map((value, index) => ({ name: ['day.json', 'latest'][index]!, value })));
  expect(checked).toMatchObject({ files: 1, faults: [] });
  expect(checked.leaves).toBeGreaterThan(0);
});
