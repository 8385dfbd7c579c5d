import { expect, it } from 'vitest';
import type { InputFile } from '../../../src/server/cli/input-file.ts';
import { translated } from '../../../src/server/cli/translation.ts';
import type { Importer } from '../../../src/sources/importing/importer.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');

async function read(file: Partial<InputFile>, messages: readonly Record<string, unknown>[]) {
  const importer: Importer = {
    name: 'season',
    summary: 'a season',
    async *translate() {
      for (const message of messages) yield { message };
    },
  };
  let text = '';
  const named = { name: 'season.csv', ...file } as InputFile;
  for await (const piece of translated(importer, named, { now: NOW }, () => undefined)) {
    text += new TextDecoder().decode(piece);
  }
  const lines = text.trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}

it.each([
  ['a pipe', undefined, '2026-03-01T12:00:00Z'],
  ['a file of last week', Date.parse('2026-02-22T09:00:00Z'), '2026-02-22T09:00:00Z'],
  ['a file with a date that is still to come', Date.parse('2030-01-01T00:00:00Z'), '2026-03-01T12:00:00Z'],
])(
  'what %s says of a game ahead is known since it was written, and of a past one since its own time',
  async (_, writtenAt, at) => {
    const messages = [{ at: '2026-02-20T18:00:00Z' }, { at: '2026-05-01T18:00:00Z' }, { name: 'without a time' }];
    expect(await read({ writtenAt }, messages)).toEqual([messages[0], { at }, messages[2]]);
  },
);
