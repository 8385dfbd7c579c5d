import { expect, it } from 'vitest';
import type { InputFile } from '../../../src/server/cli/input-file.ts';
import { translated } from '../../../src/server/cli/translation.ts';
import type { Importer } from '../../../src/sources/importing/importer.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');

async function read(
  file: Partial<InputFile>,
  messages: readonly Record<string, unknown>[],
  options: { readonly at?: string } = {},
) {
  const importer: Importer = {
    name: 'season',
    summary: 'a season',
    async *translate() {
      for (const message of messages) yield { message };
    },
  };
  let text = '';
  const named = { name: 'season.csv', ...file } as InputFile;
  for await (const piece of translated(importer, named, { now: NOW, ...options }, () => undefined)) {
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
    const past = { kind: 'schedule', at: '2026-02-20T18:00:00Z' };
    const ahead = { kind: 'schedule', at: '2026-05-01T18:00:00Z' };
    const priced = { kind: 'odds', at: '2026-05-01T17:00:00Z' };
    const untimed = { kind: 'schedule' };
    const found = await read({ writtenAt }, [past, ahead, priced, untimed]);
    expect(found).toEqual([past, { ...ahead, at }, { ...priced, at }, untimed]);
  },
);

it('a result ahead, and a year that is mistyped, keep their time, and so are rejected', async () => {
  const wrong = [
    { kind: 'score', at: '2026-05-01T18:00:00Z' },
    { kind: 'schedule', at: '2062-05-01T18:00:00Z' },
  ];
  expect(await read({}, wrong)).toEqual(wrong);
});

it('a time that the operator gives stands', async () => {
  const message = { kind: 'schedule', at: '2026-05-01T18:00:00Z' };
  expect(await read({}, [message], { at: message.at })).toEqual([message]);
});
