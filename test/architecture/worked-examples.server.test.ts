import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { listenBelow32768 } from '../api/http/listening.ts';
import { freePort, launchFrom, temporaryFolder } from '../server/cli/launching.ts';

// What CONTRIBUTING.md shows as worked examples, done in a copy of the checkout.

const ROOT = resolve(import.meta.dirname, '../..');
const page = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
const exec = promisify(execFile);
const MINUTE = 60_000;
let copy: string;

/** New files, by their first line. */
const files = [...page.matchAll(/^```ts\n\/\/ (\S+)\n([\s\S]*?)^```$/gm)].map(
  ([, path, text]) => [path!, text!] as const,
);
const edits = [...page.matchAll(/^```diff\n--- (\S+)\n([\s\S]*?)^```$/gm)].map(
  ([, path, text]) => [path!, text!] as const,
);

/** Added lines stand after the line above them, at first at the top; a line with a minus is replaced. */
function edited(source: string, edit: string): string {
  const lines = source.split('\n');
  let at = 0;
  for (const line of edit.trimEnd().split('\n')) {
    const text = line.slice(1);
    if (line.startsWith('+')) lines.splice(at++, 0, text);
    else {
      const found = lines.indexOf(text);
      expect(found, `the line of CONTRIBUTING.md: ${text}`).toBeGreaterThanOrEqual(0);
      if (line.startsWith('-')) lines.splice(found, 1);
      at = line.startsWith('-') ? found : found + 1;
    }
  }
  return lines.join('\n');
}

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'll-examples-'));
  for (const name of [
    'src',
    'commands',
    'projections',
    'docs/rules',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
  ]) {
    cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  for (const [path, text] of files) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    writeFileSync(join(copy, path), text);
  }
  for (const [path, edit] of edits)
    writeFileSync(join(copy, path), edited(readFileSync(join(copy, path), 'utf8'), edit));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

const launcher = () => join(copy, 'src/server/bin/launch.mjs');
const golden = JSON.parse(readFileSync(join(ROOT, 'test/api/tables/columns.golden.json'), 'utf8'));
const run = (args: readonly string[], env: Readonly<Record<string, string>>) =>
  exec(process.execPath, [launcher(), ...args], { env: { PATH: process.env['PATH'], ...env } });

it('there is an example of an operation, a field, a projection, an importer and a connector', () => {
  expect(files.map(([path]) => path)).toEqual([
    'src/api/operations/events/get-countdown.ts',
    'projections/odds/split-counts.ts',
    'src/sources/schedule-csv/importer.ts',
    'src/sources/schedule-json/provider.ts',
  ]);
  expect(edits.map(([path]) => path)).toContain('src/domain/feed/message-schemas.ts');
});

it(
  'the compiler takes them',
  async () => {
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const { stdout } = await exec(process.execPath, [compiler, '--noEmit'], { cwd: copy }).catch((error) => error);
    expect(stdout).toBe('');
  },
  5 * MINUTE,
);

it(
  'a server with them imports the file, answers the operation, has the projection, and tells the field last in its table',
  async () => {
    const folder = temporaryFolder();
    const csv = join(folder, 'games.csv');
    writeFileSync(csv, 'id,starts_at,home,away\n1,2099-01-01T00:00:00Z,Home Town,Away Town\n2,soon,A,B\n');
    const env = { DATA_DIR: join(folder, 'data'), FEEDS: 'none', PORT: String(await freePort()) };

    const messages = join(folder, 'messages.ndjson');
    const participants = ['home', 'away'].map((role) => ({ role, name: `Refereed ${role}` }));
    const game = { ref: '2', sport: 'nba', league: 'nba', starts_at: '2099-01-02T00:00:00Z', participants };
    const at = '2025-01-01T00:00:00Z';
    writeFileSync(messages, JSON.stringify({ kind: 'schedule', source: 'test', at, ...game, referee: 'A Referee' }));

    const imported = await run(['import', 'schedule-csv', '--at', '2025-01-01T00:00:00Z', csv], env);
    await run(['ingest', messages], env);
    const server = launchFrom(launcher(), ['start'], env);
    await server.has('\nready');
    const headers = { authorization: `Bearer ${/llk_\S+/.exec(server.output())![0]}` };
    const ask = async (path: string): Promise<any> =>
      (await fetch(`http://127.0.0.1:${env.PORT}${path}`, { headers })).json();
    const countdown = await ask('/v1/events/1/countdown');
    const health = await ask('/v1/health');
    const refereed = await ask('/v1/events/2');
    const table = await fetch(`http://127.0.0.1:${env.PORT}/v1/events/batch?format=csv`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ event_ids: [2] }),
    });
    const [columns, row] = (await table.text()).split('\r\n');

    expect(JSON.parse(imported.stdout.trim().split('\n').at(-1)!)).toMatchObject({
      accepted: 1,
      notes: [expect.anything()],
    });
    expect(countdown).toEqual({ event_id: 1, seconds_to_start: expect.any(Number) });
    expect(countdown.seconds_to_start).toBeGreaterThan(0);
    expect(refereed.referee).toBe('A Referee');
    const known: string[] = golden.batch_get_events.map((column: string) => column.split(':')[0]);
    expect(columns!.split(',')).toEqual([...known, 'referee']);
    expect(row).toMatch(/,A Referee$/);
    expect(health.projections.map(({ name }: { name: string }) => name)).toContain('split-counts');
  },
  2 * MINUTE,
);

it(
  'the connector reads the answers of its provider',
  async () => {
    const games = [{ id: 1, starts_at: '2099-01-01T00:00:00Z', home: 'Home Town', away: 'Away Town' }];
    const provider = createServer((_, response) => response.end(JSON.stringify({ games })));
    onTestFinished(() => void provider.close());
    const url = `http://127.0.0.1:${await listenBelow32768(provider)}`;

    const { stdout } = await run(['feeds', 'check', 'schedule-json', '--messages'], { SCHEDULE_JSON_URL: url });

    expect(JSON.parse(stdout.split('\n')[0]!)).toMatchObject({
      kind: 'schedule',
      source: 'schedule-json',
      ref: '1',
      participants: [
        { role: 'home', name: 'Home Town' },
        { role: 'away', name: 'Away Town' },
      ],
    });
  },
  2 * MINUTE,
);
