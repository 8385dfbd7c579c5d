import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { launch, reportOf, run, team, teams, temporaryFolder } from './launching.ts';

const ingest = (folder: string, ...files: string[]) => run(['ingest', '--data-dir', join(folder, 'data'), ...files]);
function write(folder: string, name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe('ingest', () => {
  it('takes files, gzipped ones and standard input, and sums their outcomes', async () => {
    const folder = temporaryFolder();
    const plain = write(folder, 'a.ndjson', `${team(1)}\n\n${team(2)}`);
    const zipped = write(folder, 'b.ndjson.gz', Buffer.concat([gzipSync(`${team(3)}\n`), gzipSync(team(4))]));

    const files = await ingest(folder, plain, zipped);
    const pipe = await run(['ingest', '--data-dir', join(folder, 'data'), '-'], { input: `${team(4)}\n${team(5)}\n` });
    const zippedPipe = await run(['ingest', '--data-dir', join(folder, 'data'), '-'], { input: gzipSync(team(6)) });

    expect(files).toMatchObject({ code: 0, stderr: '' });
    expect(reportOf(files)).toEqual({
      received: 4,
      accepted: 4,
      unchanged: 0,
      quarantined: 0,
      rejected: 0,
      errors: [],
    });
    expect(reportOf(pipe)).toMatchObject({ received: 2, accepted: 1, unchanged: 1 });
    expect(reportOf(zippedPipe)).toMatchObject({ received: 1, accepted: 1 });
  });

  it('takes the rest of a file in which something is rejected, and exits 1', async () => {
    const folder = temporaryFolder();
    const long = JSON.stringify({ kind: 'team', name: 'x'.repeat(1024 * 1024) });
    const file = write(folder, 'a.ndjson', `${team(1)}\r\n{"kind":\n\n${long}\n${team(2)}\n`);

    const ended = await ingest(folder, file);

    expect(ended.code).toBe(1);
    expect(reportOf(ended)).toMatchObject({ received: 4, accepted: 2, rejected: 2 });
    expect(reportOf(ended).errors).toMatchObject([
      { line: 2, code: 'invalid_json' },
      { line: 4, code: 'message_too_large' },
    ]);
  });

  it('keeps what stands before the end of a cut-off gzip file, and says what is wrong', async () => {
    const folder = temporaryFolder();
    const whole = gzipSync(teams(3000));
    const cut = write(folder, 'cut.gz', whole.subarray(0, whole.length / 2));
    const next = write(folder, 'next.ndjson', '');

    const ended = await ingest(folder, cut, next);

    expect(ended).toMatchObject({ code: 1, stderr: `${cut}: the gzip data ends too early\n` });
    const { accepted, received, rejected } = reportOf(ended) as Record<string, number>;
    expect(rejected).toBe(0);
    expect(accepted).toBe(received);
    expect(accepted).toBeGreaterThan(500);
  });

  it('says in one line that a file is no gzip', async () => {
    const folder = temporaryFolder();

    const ended = await ingest(folder, write(folder, 'a.gz', team(1)));

    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(/a\.gz: the gzip data is damaged .*\n$/);
  });

  it('waits for another command, and says so', async () => {
    const folder = temporaryFolder();
    const data = join(folder, 'data');
    const first = launch(['ingest', '--data-dir', data, '-']);
    first.child.stdin.write(teams(3000));
    // The first holds the folder once a second one is told so.
    let second = launch(['ingest', '--data-dir', data, '-']);
    second.child.stdin.end(team(1));
    while (!(await Promise.race([second.has('waiting for ingest').then(() => true), second.ended.then(() => false)]))) {
      second = launch(['ingest', '--data-dir', data, '-']);
      second.child.stdin.end(team(1));
    }
    first.child.stdin.end();

    const [one, two] = await Promise.all([first.ended, second.ended]);

    expect(reportOf(one)).toMatchObject({ received: 3000, rejected: 0 });
    expect(two).toMatchObject({
      code: 0,
      stderr: `waiting for ingest (process ${first.child.pid}), which holds the data folder\n`,
    });
    expect(reportOf(two)).toMatchObject({ received: 1, unchanged: 1 });
  });

  it('leaves at once on Ctrl-C with exit 130, and can be run again', async () => {
    const folder = temporaryFolder();
    const data = join(folder, 'data');
    const first = launch(['ingest', '--data-dir', data, '-']);
    first.child.stdin.write(teams(2500));
    const other = launch(['ingest', '--data-dir', data, '-']);
    other.child.stdin.end(team(1));
    await Promise.race([other.has('waiting for ingest'), other.ended]);
    first.child.kill('SIGINT');

    expect(await first.ended).toMatchObject({ code: 130, stdout: '' });
    expect(await other.ended).toMatchObject({ code: 0 });
    const again = await run(['ingest', '--data-dir', data, '-'], { input: teams(2500) });
    expect(reportOf(again)).toMatchObject({ received: 2500, rejected: 0 });
  });
});
