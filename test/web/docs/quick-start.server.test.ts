import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { freePort, temporaryFolder } from '../../server/cli/launching.ts';

// What docs/quick-start.md has a newcomer type is typed here, line by line, in a copy of what a clone brings; only the port
// is another one.

const ROOT = resolve(import.meta.dirname, '../../..');
const [start, ...rest] = [...readFileSync(join(ROOT, 'docs/quick-start.md'), 'utf8').matchAll(/```sh\n(.*?)```/gs)].map(
  ([, lines]) => lines!,
);
const MINUTES = 60_000;

/** What git knows, and what it does not know yet and would not ignore. */
function copyOfTheClone(): string {
  const folder = temporaryFolder();
  const names = execFileSync('git', ['ls-files', '-z', '-c', '-o', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  for (const name of names.split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    cpSync(join(ROOT, name), join(folder, name));
  }
  return folder;
}

/** A shell of somebody who has set nothing but the port. */
function shell(script: string, cwd: string, port: string) {
  const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(PATH|HOME|TMPDIR)$/.test(name)));
  const env = { ...clean, PORT: port };
  const child = spawn('bash', ['-c', script.replaceAll('localhost:3000', `localhost:${port}`)], {
    cwd,
    env,
    detached: true,
  });
  const said = { output: '', errors: '' };
  child.stdout.on('data', (text) => {
    said.output += text;
  });
  child.stderr.on('data', (text) => {
    said.errors += text;
  });
  return { child, said, ended: once(child, 'close') as Promise<[number | null]> };
}

it('the quick start works as it is written, from a fresh clone', { timeout: 6 * MINUTES }, async () => {
  const folder = copyOfTheClone();
  const port = String(await freePort());
  const first = shell(`set -e\n${start}`, folder, port);
  onTestFinished(async () => {
    if (first.child.exitCode === null) process.kill(-first.child.pid!, 'SIGKILL');
    await first.ended;
  });
  await new Promise<void>((resolveReady, reject) => {
    first.child.stdout.on('data', () => /^ready$/m.test(first.said.output) && resolveReady());
    void first.ended.then(() => reject(new Error(JSON.stringify(first.said))));
  });

  const second = shell(['set -e', ...rest].join('\n'), folder, port);
  const [code] = await second.ended;

  expect({ code, errors: second.said.errors }).toEqual({ code: 0, errors: '' });
  const { output } = second.said;
  const lines = output.split('\n');
  const answers = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
  expect(answers[0].sports).toHaveLength(8);
  expect(answers[1].events.length).toBeGreaterThan(0);
  expect(answers[2]).toMatchObject({ id: 1 });
  expect(answers[3]).toMatchObject({ interpreted: { sport: 'nba', status: 'inprogress' }, unrecognized_terms: [] });
  expect(answers[4].estimates).toEqual([
    { tool: 'get_event', min_credits: 1, max_credits: 1, note: expect.any(String) },
  ]);
  expect(answers[5]).toMatchObject({ tier: 'free', credits_used: 5 });
  expect(lines.filter((line) => line.startsWith('data: {')).length).toBeGreaterThan(0);
  expect(output).toMatch(/^\d{4}-\d\d-\d\dT[^ ]+ .+ (at|vs\.?) .+$/m);
  expect(answers[6].result.tools.length).toBe(12);
  expect(answers[7].result).toMatchObject({ structuredContent: { event_id: 1 } });
  expect(output).toMatch(/^# Ledgerline$/m);
});
