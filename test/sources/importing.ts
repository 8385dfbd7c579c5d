import { Readable } from 'node:stream';
import { parseMessage } from '../../src/domain/feed/parse-message.ts';
import type { Importer } from '../../src/sources/importing/importer.ts';

export type Message = Record<string, any>;
export interface Note {
  code: string;
  message: string;
  line?: number;
}

/** What an importer makes of a file with this text. Every message must be one that the feed contract takes. */
export async function importText(importer: Importer, name: string, text: string) {
  const messages: Message[] = [];
  const notes: Note[] = [];
  const file = { name, open: () => Readable.from([Buffer.from(text)]) };
  for await (const item of importer.translate(file, {})) {
    if ('note' in item) notes.push(item.note);
    else {
      const parsed = parseMessage(item.message);
      if ('rejection' in parsed) throw new Error(`${parsed.rejection.message}: ${JSON.stringify(item.message)}`);
      messages.push(JSON.parse(JSON.stringify(item.message)));
    }
  }
  const of = (kind: string): Message[] => messages.filter((message) => message.kind === kind);
  return { messages, notes, of };
}

/** A CSV text of rows that name their columns; a column that a row has not is empty. */
export function csvOf(columns: readonly string[], rows: readonly Record<string, string>[]): string {
  const quoted = (cell: string): string => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const lines = rows.map((row) => columns.map((column) => quoted(row[column] ?? '')).join(','));
  return `${[columns.join(','), ...lines].join('\n')}\n`;
}
