import type { IncomingMessage } from 'node:http';

/** What a server says of itself, in an error or a list, is shorter. */
const MAX_BYTES = 16 * 1024 * 1024;

/** The body of an answer. @throws if it is longer than any that is right */
export async function shortText(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > MAX_BYTES) throw new Error('the answer is too long');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
