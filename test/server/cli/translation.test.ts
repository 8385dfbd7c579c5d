import { expect, it } from 'vitest';
import type { InputFile } from '../../../src/server/cli/input-file.ts';
import { translated } from '../../../src/server/cli/translation.ts';
import type { Importer } from '../../../src/sources/importing/importer.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');

it('what a file says of a game ahead is known since it is read, and of a past one since its own time', async () => {
  const messages = [{ at: '2026-02-20T18:00:00Z' }, { at: '2026-05-01T18:00:00Z' }, { name: 'without a time' }];
  const importer: Importer = {
    name: 'season',
    summary: 'a season',
    async *translate() {
      for (const message of messages) yield { message };
    },
  };
  let text = '';
  for await (const piece of translated(importer, { name: 'season.csv' } as InputFile, { now: NOW }, () => undefined)) {
    text += new TextDecoder().decode(piece);
  }
  expect(
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([messages[0], { at: '2026-03-01T12:00:00Z' }, messages[2]]);
});
