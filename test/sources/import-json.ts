import { Readable } from 'node:stream';
import { parseMessage } from '../../src/domain/feed/parse-message.ts';
import type { Importer, ImportOptions } from '../../src/sources/importing/importer.ts';
import type { Message, Note } from './importing.ts';

/** What an importer makes of a file with this content. Every message must be one that the feed contract takes. */
export async function importJson(
  importer: Importer,
  content: unknown,
  { name = 'answer.json', ...options }: ImportOptions & { name?: string } = {},
) {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const messages: Message[] = [];
  const notes: Note[] = [];
  const file = { name, open: () => Readable.from([Buffer.from(text)]) };
  for await (const item of importer.translate(file, options)) {
    if ('note' in item) notes.push(item.note);
    else {
      const parsed = parseMessage(item.message);
      if ('rejection' in parsed) throw new Error(`${parsed.rejection.message}: ${JSON.stringify(item.message)}`);
      messages.push(JSON.parse(JSON.stringify(item.message)));
    }
  }
  const of = (kind: string): Message[] => messages.filter((message) => message['kind'] === kind);
  const codes = [...new Set(notes.map((note) => note.code))];
  return { messages, notes, codes, of };
}
