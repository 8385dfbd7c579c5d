import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { IMPORTERS } from '../../src/sources/importers.ts';

const MIB = 1024 * 1024;
const importerOf = (name: string) => IMPORTERS.find((importer) => importer.name === name)!;

/** What an importer makes of a file. */
async function translated(name: string, pieces: Iterable<string>, fileName = 'file.json') {
  const file = { name: fileName, open: () => Readable.from(pieces, { objectMode: false }) };
  const items: unknown[] = [];
  for await (const item of importerOf(name).translate(file, {})) items.push(item);
  return items;
}

function* repeated(text: string, times: number): Generator<string> {
  for (let time = 0; time < times; time++) yield text;
}

describe.each(['espn', 'the-odds-api', 'action-network'])('a JSON file for %s', (name) => {
  it('nested millions of levels deep is refused with the file and the reason, before any of it is built', async () => {
    const deep = `{"events":${'['.repeat(4 * MIB)}${']'.repeat(4 * MIB)}}`;
    await expect(translated(name, [deep])).rejects.toMatchObject({
      code: 'unreadable_file',
      message: 'file.json: is nested deeper than 40 levels',
    });
  });

  it('larger than 32 MiB is refused, and not read to its end', async () => {
    let given = 0;
    const endless = (function* () {
      yield '{"events":[';
      for (;;) {
        given++;
        yield '{},'.repeat(100_000);
      }
    })();
    await expect(translated(name, endless)).rejects.toMatchObject({
      code: 'unreadable_file',
      message: 'file.json: is larger than 32 MiB',
    });
    expect(given).toBeLessThan(200);
  });

  it('of millions of values is refused', async () => {
    const wide = (function* () {
      yield '{"events":[';
      yield* repeated('0,'.repeat(500_000), 9);
      yield '0]}';
    })();
    await expect(translated(name, wide)).rejects.toMatchObject({
      code: 'unreadable_file',
      message: 'file.json: holds more than 4000000 values',
    });
  });

  it('that is an archive with an answer nested too deep loses that answer alone', async () => {
    const line = (body: string) =>
      `${JSON.stringify({ received_at: '2026-11-23T12:00:00Z', url: 'http://x/y', status: 200, headers: {}, body })}\n`;
    const deep = `${'['.repeat(MIB)}${']'.repeat(MIB)}`;
    expect(await translated(name, [line(deep), line('{')], 'a.ndjson')).toEqual([
      { note: { code: 'broken_answer', message: 'An answer was left out: it is nested deeper than 40 levels.' } },
      { note: { code: 'broken_answer', message: 'An answer was left out: it is not JSON, or not all of it.' } },
    ]);
  });
});
