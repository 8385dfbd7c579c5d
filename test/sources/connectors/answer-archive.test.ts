import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  type AnswerArchive,
  type ArchivedAnswer,
  openAnswerArchive,
} from '../../../src/sources/connectors/answer-archive.ts';

let folder: string;
let errors: unknown[];
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'll-archive-')), 'espn');
  errors = [];
});
afterEach(() => {
  rmSync(join(folder, '..'), { recursive: true, force: true });
});

const open = (): AnswerArchive => openAnswerArchive(folder, (error) => errors.push(error));
const answer = (received_at: string, body: string | null = '{}'): ArchivedAnswer => ({
  received_at,
  url: 'http://x/a?apiKey=***',
  status: body === null ? null : 200,
  headers: { etag: 'x' },
  body,
});
const file = (name: string) => join(folder, '2026-11-23', name);
const linesOf = (text: string): ArchivedAnswer[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

it('given answers, then they stand in the file of their UTC hour, in their order', async () => {
  const archive = open();
  const answers = [
    answer('2026-11-23T11:59:59.999Z', 'a\nb'),
    answer('2026-11-23T12:00:00.000Z', null),
    answer('2026-11-23T12:00:01.000Z'),
  ];
  for (const one of answers) archive.add(one);
  await archive.close();
  expect(linesOf(readFileSync(file('11.ndjson'), 'utf8'))).toEqual([answers[0]]);
  expect(linesOf(readFileSync(file('12.ndjson'), 'utf8'))).toEqual(answers.slice(1));
  expect(errors).toEqual([]);
});

it('given an hour that is over, then it is packed, and the present one is not; what comes late stands behind it', async () => {
  const archive = open();
  archive.add(answer('2026-11-23T11:10:00.000Z', 'first'));
  archive.add(answer('2026-11-23T12:10:00.000Z'));
  await archive.pack(Date.parse('2026-11-23T12:30:00Z'));
  expect(readdirSync(join(folder, '2026-11-23')).sort()).toEqual(['11.ndjson.gz', '12.ndjson']);
  archive.add(answer('2026-11-23T11:59:00.000Z', 'late'));
  await archive.pack(Date.parse('2026-11-23T12:40:00Z'));
  const packed = gunzipSync(readFileSync(file('11.ndjson.gz'))).toString();
  expect(linesOf(packed).map(({ body }) => body)).toEqual(['first', 'late']);
  expect(existsSync(file('11.ndjson'))).toBe(false);
  expect(errors).toEqual([]);
});

it('given a line that a crash has torn, then the next one begins where it began', async () => {
  const first = open();
  first.add(answer('2026-11-23T12:00:00.000Z', 'x'.repeat(200_000)));
  await first.close();
  appendFileSync(file('12.ndjson'), `{"received_at":"2026-11-23T12:00:01.000Z","body":"${'y'.repeat(100_000)}`);
  const second = open();
  second.add(answer('2026-11-23T12:00:02.000Z', 'z'));
  await second.close();
  expect(linesOf(readFileSync(file('12.ndjson'), 'utf8')).map(({ body }) => body?.[0])).toEqual(['x', 'z']);
});

it('given a folder that cannot be written, then it is told, and nothing else happens', async () => {
  const archive = openAnswerArchive('/dev/null/archive', (error) => errors.push(error));
  archive.add(answer('2026-11-23T12:00:00.000Z'));
  await archive.close();
  expect(errors).toMatchObject([{ code: 'ENOTDIR' }]);
});
