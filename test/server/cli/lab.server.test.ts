import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lastLine, run, startServer, temporaryFolder } from './launching.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const PAGE = readFileSync(join(ROOT, 'docs/lab.md'), 'utf8');
const blocks = (kind: string) =>
  [...PAGE.matchAll(new RegExp(`\`\`\`${kind}\n(.*?)\`\`\``, 'gs'))].map(([, text]) => text!);
const DAYS = ['--from', '2025-10-01', '--to', '2025-10-06'];

async function playedFolder(): Promise<string> {
  const folder = temporaryFolder();
  const ended = await run(['ingest', join(ROOT, 'docs/lab/games.ndjson'), '--data-dir', folder]);
  expect(ended).toMatchObject({ code: 0 });
  return folder;
}

describe('docs/lab.md', () => {
  it('shows what its own words give, and its examples are the same in both languages', { timeout: 600_000 }, () => {
    const folder = temporaryFolder();
    const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(PATH|HOME|TMPDIR)$/.test(name)));
    const script = blocks('sh')
      .join('\n')
      .replaceAll('lab-data', join(folder, 'data'))
      .replaceAll('./lab', join(folder, 'lab'));
    const typed = script.replaceAll('./' + join(folder, 'data'), join(folder, 'data'));
    const placed = typed.replaceAll('lab-programs', join(folder, 'programs'));

    const output = execFileSync('bash', ['-e', '-c', placed], { cwd: ROOT, env: clean, encoding: 'utf8' });

    const results = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ program }) => program !== undefined);
    const named = new Map(results.map((result) => [/(\w+\.m?\w+)$/.exec(result.program.command[1])![1], result]));
    expect([...named.keys()].sort()).toEqual(['fade.mjs', 'fade.py', 'steam.mjs', 'steam.py', 'value.mjs', 'value.py']);
    expect(named.get('steam.py')).toMatchObject(JSON.parse(blocks('json')[0]!));
    expect(named.get('steam.py').latencies.at(-1)).toMatchObject({ latency_seconds: 600, filled: 0 });
    for (const name of ['value', 'steam', 'fade']) {
      const [python, script] = ['py', 'mjs'].map((end) => {
        const { program: _, ...rest } = named.get(`${name}.${end}`);
        return rest;
      });
      expect(script).toEqual(python);
      expect(python.filled).toBeGreaterThan(0);
    }
  });
});

describe('lab run', () => {
  it('prints the same bytes again, beside a server too', { timeout: 300_000 }, async () => {
    const folder = await playedFolder();
    const args = ['lab', 'run', ...DAYS, '--data-dir', folder, '--', 'python3', join(ROOT, 'docs/lab/fade.py')];

    const first = await run(args);
    await startServer(folder);
    const second = await run(args);

    expect(first).toMatchObject({ code: 0, stderr: '' });
    // A server that starts may add to the log; the run is the same.
    const withoutPosition = (text: string) => text.replace(/"position":"\d+"/, '');
    expect(withoutPosition(second.stdout)).toBe(withoutPosition(first.stdout));
    expect(JSON.parse(first.stdout)).toMatchObject({
      ...{ from: '2025-10-01', to: '2025-10-06', league: null, books: null, latency_seconds: 2, stake_limit: null },
      program: {
        command: ['python3', join(ROOT, 'docs/lab/fade.py')],
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    });
  });

  it('says why a program ended it, and hides nothing that the program says', { timeout: 300_000 }, async () => {
    const folder = await playedFolder();
    const source = `process.stderr.write('it speaks, ' + (process.env.KEY_PEPPER ?? 'and knows no secret') + '\\n'); process.exit(5)`;
    const { code, stdout, stderr } = await run(
      ['lab', 'run', ...DAYS, '--data-dir', folder, '--', process.execPath, '-e', source],
      { env: { KEY_PEPPER: 'a-pepper-of-more-than-sixteen' } },
    );

    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.trimEnd().split('\n').toSorted()).toEqual([
      'it speaks, and knows no secret',
      lastLine('lab: the program ended with exit code 5 before the run did').replace(/^lab: /, ''),
    ]);
  });

  it.each([
    { args: [], says: 'lab needs run' },
    { args: ['play'], says: 'lab needs run, not play' },
    { args: ['run', ...DAYS], says: 'lab run needs -- PROGRAM ARGS' },
    { args: ['run', '--from', '2025-10-01', '--', 'x'], says: 'lab run needs --to DATE' },
    { args: ['run', '--from', '2025-02-30', '--to', '2025-10-06', '--', 'x'], says: '--from 2025-02-30 is no date' },
    { args: ['run', '--from', '2025-10-02', '--to', '2025-10-01', '--', 'x'], says: '--from must not be after --to' },
    { args: ['run', ...DAYS, '--league', 'xfl', '--', 'x'], says: '--league xfl is none of nfl' },
    { args: ['run', ...DAYS, '--books', 'a,,b', '--', 'x'], says: '--books: an empty name is no slug' },
    { args: ['run', ...DAYS, '--latency', '2', '--', 'x'], says: '--latency 2 is no time up to an hour' },
    { args: ['run', ...DAYS, '--latency', '61m', '--', 'x'], says: '--latency 61m is no time up to an hour' },
    { args: ['run', ...DAYS, '--stake-limit', '0', '--', 'x'], says: '--stake-limit 0 is no number above 0' },
  ])('refuses $args in one line', async ({ args, says }) => {
    const { code, stdout, stderr } = await run(['lab', ...args]);

    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(says);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it('says in one line that a folder is not there', async () => {
    const ended = await run(['lab', 'run', ...DAYS, '--data-dir', join(temporaryFolder(), 'none'), '--', 'x']);
    expect([ended.code, ended.stdout]).toEqual([1, '']);
    expect(ended.stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});
