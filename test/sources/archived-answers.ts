import { Readable } from 'node:stream';
import { parseMessage } from '../../src/domain/feed/parse-message.ts';
import { IMPORTERS } from '../../src/sources/importers.ts';
import type { Importer } from '../../src/sources/importing/importer.ts';
import type { Message, Note } from './importing.ts';

/** A line of an archive, as the connectors write it. */
export const archived = (
  receivedAt: number,
  url: string,
  body: unknown,
  { status = 200, headers = {} }: { status?: number | null; headers?: Record<string, string> } = {},
) => ({
  received_at: new Date(receivedAt).toISOString(),
  url,
  status,
  headers,
  body: body === null ? null : typeof body === 'string' ? body : JSON.stringify(body),
});

export const linesOf = (answers: readonly object[]): string =>
  answers.map((answer) => `${JSON.stringify(answer)}\n`).join('');

export const importerOf = (name: string): Importer => IMPORTERS.find((one) => one.name === name)!;

export interface ArchiveFile {
  readonly name: string;
  readonly content: string;
}

/** What one command makes of files, in their order. Every message must be one that the feed contract takes. */
export async function importArchives(source: string, files: readonly ArchiveFile[]) {
  const importer = importerOf(source);
  const archives = importer.openArchives!();
  const messages: Message[] = [];
  const notes: Note[] = [];
  for (const { name, content } of files) {
    const open = () => Readable.from([Buffer.from(content)], { objectMode: false });
    for await (const item of importer.translate({ name, open }, { archives })) {
      if ('note' in item) notes.push(item.note);
      else {
        const parsed = parseMessage(item.message);
        if ('rejection' in parsed) throw new Error(`${parsed.rejection.message}: ${JSON.stringify(item.message)}`);
        messages.push(JSON.parse(JSON.stringify(item.message)));
      }
    }
  }
  return { messages, notes, codes: [...new Set(notes.map(({ code }) => code))] };
}
