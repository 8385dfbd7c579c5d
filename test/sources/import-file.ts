import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Importer } from '../../src/sources/importing/importer.ts';
import { importText } from './importing.ts';

/** The text of a file, unpacked where it is packed. */
export function textOf(path: string): string {
  const bytes = readFileSync(path);
  return (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString();
}

/** What an importer makes of a file. */
export const importFile = (importer: Importer, path: string) => importText(importer, basename(path), textOf(path));

/** The rows of a CSV file by column, read without the importers' code; its cells hold no line breaks. */
export function rowsOf(path: string): Record<string, string>[] {
  const [header, ...lines] = textOf(path)
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter((line) => line !== '')
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted ?? plain ?? ''),
    );
  return lines.map((cells) =>
    Object.fromEntries(header!.map((name, index) => [name.trim(), (cells[index] ?? '').trim()])),
  );
}
