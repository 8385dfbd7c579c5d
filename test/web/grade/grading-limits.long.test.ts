import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { databaseFile } from '../../../src/platform/data-folder/folder-paths.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { openRegistry } from '../../../src/server/composition/registry.ts';
import { createSqliteGradeCounter } from '../../../src/web/grade/grade-counter.ts';
import { type Answer, DAY, NOW, ONE, OTHER, type SheetServer, SLIP, serveSheet } from './serve-grading-page.ts';

let server: SheetServer;
beforeEach(async () => {
  server = await serveSheet();
  await server.feedMatches();
});
afterEach(() => server.close());

const SMALL = { text: 'Eagles -3.5' };

const windowOf = ({ headers }: Answer) => [
  Number(headers['x-ratelimit-limit']),
  Number(headers['x-ratelimit-remaining']),
  Number(headers['x-ratelimit-reset']) * 1000,
];

async function useUp(from: string = ONE): Promise<void> {
  for (let grade = 0; grade < 20; grade++) expect((await server.post(SMALL, { from })).status).toBe(200);
}

describe('the grades of an address', () => {
  it('are 20 in a sliding 24 hours, over page and JSON together, and the answers tell', async () => {
    const start = server.clock.time;
    expect(windowOf(await server.post(SMALL))).toEqual([20, 19, start + DAY]);
    server.clock.time += 3_600_000;
    for (let left = 18; left >= 0; left--) {
      const answer = left % 2 === 0 ? await server.post(SMALL) : await server.show(SMALL.text);
      expect([answer.status, ...windowOf(answer)]).toEqual([200, 20, left, start + DAY]);
    }

    const refused = await server.post(SMALL);
    expect([refused.status, refused.body.error.code, refused.headers['retry-after']]).toEqual([
      429,
      'rate_limit_exceeded',
      String(23 * 3600),
    ]);
    expect(windowOf(refused)).toEqual([20, 0, start + DAY]);
    const page = await server.show(SMALL.text);
    expect([page.status, page.headers['content-type'], page.headers['retry-after']]).toEqual([
      429,
      'text/html; charset=utf-8',
      String(23 * 3600),
    ]);

    server.clock.time = start + DAY - 1;
    expect((await server.post(SMALL)).status).toBe(429);
    server.clock.time = start + DAY;
    expect((await server.post(SMALL)).status).toBe(200);
    expect((await server.post(SMALL)).status).toBe(429);
  });

  it('do not count where nothing was graded', async () => {
    const bad = [
      () => server.post({ text: ' ' }),
      () => server.post({ text: 'x'.repeat(2001) }),
      () => server.show(''),
      () => server.show('y'.repeat(2001)),
      () => server.post(SMALL, { headers: { 'content-type': 'text/plain' } }),
      () => server.post({ text: 'z'.repeat(70_000) }),
      () => server.ask('/grade'),
      () => server.ask(`/grade?text=${encodeURIComponent(SMALL.text)}`, { method: 'HEAD' }),
      () => server.ask('/grade', { method: 'PUT' }),
    ];
    const statuses = [];
    for (const ask of bad) statuses.push((await ask()).status);
    expect(statuses).toEqual([422, 422, 422, 422, 415, 413, 200, 200, 405]);
    expect(windowOf(await server.post(SMALL))[1]).toBe(19);
  });

  it('do not count where the server has failed', async () => {
    await server.close();
    let fails = true;
    server = await serveSheet({
      gradingPage: {
        async grade() {
          if (fails) throw new Error('out of order');
          return { legs: [], status: 'graded' } as never;
        },
      },
    });
    const failed = await server.post(SMALL);
    expect([failed.status, failed.body.error.code]).toEqual([500, 'internal_error']);
    fails = false;
    expect(windowOf(await server.post(SMALL))[1]).toBe(19);
  });

  it('count where a slip is not understood', async () => {
    const { body, ...answer } = await server.post({ text: 'nobody knows -3' });
    expect([answer.status, body.status]).toEqual([200, 'unmapped']);
    expect(windowOf({ ...answer, body })[1]).toBe(19);
  });

  it('are each one’s own: by address of version 4, also mapped, and by 64 bits of version 6', async () => {
    await useUp(ONE);
    expect((await server.post(SMALL, { from: `::ffff:${ONE}` })).status).toBe(429);
    expect((await server.post(SMALL, { from: OTHER })).status).toBe(200);
    await useUp('2001:db8:0:1::1');
    expect((await server.post(SMALL, { from: '2001:db8:0:1:ffff::2' })).status).toBe(429);
    expect((await server.post(SMALL, { from: '2001:db8:0:2::1' })).status).toBe(200);
  });

  it('are those of whom the proxy was called by, whatever he says of himself', async () => {
    await useUp(ONE);
    expect((await server.post(SMALL, { from: `${OTHER}, ${ONE}` })).status).toBe(429);
    expect((await server.post(SMALL, { from: `${ONE}, ${OTHER}` })).status).toBe(200);
    // A header that tells nobody leaves the connection.
    for (const from of ['unknown', `${ONE}, unknown`]) {
      expect(windowOf(await server.post(SMALL, { from }))[1]).toBeLessThan(20);
    }
    const connection = windowOf(await server.post(SMALL, { from: '' }))[1];
    expect(connection).toBe(17);
  });

  it('are those of the connection where no proxy is trusted', async () => {
    await server.close();
    server = await serveSheet({ settings: { trustProxy: [] } });
    await useUp(ONE);
    expect((await server.post(SMALL, { from: OTHER })).status).toBe(429);
  });

  it('are 20 also where they are asked for at the same moment', async () => {
    const statuses: number[] = [];
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all([1, 2, 3].map(() => server.post(SMALL)));
      statuses.push(...answers.map(({ status }) => status));
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  });
});

describe('grades at the same moment', () => {
  it('are 3 for an address, and others do not wait for it', async () => {
    await server.close();
    const waiting: (() => void)[] = [];
    server = await serveSheet({
      gradingPage: {
        async grade() {
          await new Promise<void>((resolve) => waiting.push(resolve));
          return { legs: [], status: 'graded' } as never;
        },
      },
    });
    const until = async (count: number) => {
      while (waiting.length < count) await new Promise((resolve) => setTimeout(resolve, 1));
    };
    const running = [1, 2, 3].map(() => server.post(SMALL));
    await until(3);
    const refused = await server.post(SMALL);
    expect([refused.status, refused.body.error.code, Number(refused.headers['retry-after'])]).toEqual([
      429,
      'concurrency_limit_exceeded',
      1,
    ]);
    running.push(server.post(SMALL, { from: OTHER }));
    await until(4);
    for (const go of waiting.splice(0)) go();
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const next = server.post(SMALL);
    await until(1);
    waiting[0]!();
    expect((await next).headers['x-ratelimit-remaining']).toBe('16');
  });
});

describe('what is kept of them', () => {
  it('survives a restart, and holds no address', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'll-sheet-'));
    // After the hooks, which close the server.
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    await server.close();
    server = await serveSheet({ folder });
    await useUp();
    await server.close();
    const database = openSqliteDatabase({ file: databaseFile(folder), readonly: true });
    const rows = database.prepare('SELECT address, at FROM sheet_grades').all() as { address: string; at: number }[];
    database.close();
    expect(rows).toHaveLength(20);
    expect(rows.every(({ at }) => at === Date.parse(NOW))).toBe(true);
    expect(JSON.stringify(rows)).not.toContain(ONE);

    server = await serveSheet({ folder, time: Date.parse(NOW) + 60_000 });
    expect((await server.post(SMALL)).status).toBe(429);
    expect((await server.post(SMALL, { from: OTHER })).status).toBe(200);
  });

  it('is bounded: what counts no more goes, and beyond the most rows the oldest', async () => {
    const database = openSqliteDatabase({ file: ':memory:' });
    const registry = await openRegistry(database);
    const kept = createSqliteGradeCounter(registry, 100);
    const rows = () => (database.prepare('SELECT count(*) AS n FROM sheet_grades').get() as { n: number }).n;
    for (let grade = 0; grade < 150; grade++) await kept.tryCount(`a${grade}`, 20, 1000 + grade);
    expect(rows()).toBe(100);
    expect([await kept.countOf('a49', 2000), await kept.countOf('a50', 2000)]).toEqual([
      { counted: 0, firstAt: null },
      { counted: 1, firstAt: 1050 },
    ]);
    for (let grade = 0; grade < 3; grade++) await kept.tryCount('late', 20, DAY + 5000);
    expect(rows()).toBe(3);
    await registry.destroy();
  });
});

it('a slip of several legs is one grade', async () => {
  expect(windowOf(await server.post({ text: SLIP }))[1]).toBe(19);
});
