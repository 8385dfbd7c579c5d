import { createParser } from 'eventsource-parser';

/** Bytes of one answer, or of one message of a stream. The server's own answers stay far below. */
export const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** An answer, or a message of a stream, that is larger than is held in memory. */
export class AnswerTooLarge extends Error {}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The whole body as text.
 * @throws AnswerTooLarge, and errors of the connection
 */
export async function readBody(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    // Leaving the loop closes the connection.
    if (size > MAX_ANSWER_BYTES) throw new AnswerTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * The data of each event of a stream, as it comes. Comments only keep the connection open.
 * @throws AnswerTooLarge, and errors of the connection
 */
export async function* readEvents(response: Response): AsyncGenerator<string> {
  const parsed: string[] = [];
  let isTooLarge = false;
  const parser = createParser({
    maxBufferSize: MAX_ANSWER_BYTES,
    onEvent: ({ data }) => void parsed.push(data),
    onError: ({ type }) => {
      // Fields that are not known are ignored, as the format has it.
      if (type === 'max-buffer-size-exceeded') isTooLarge = true;
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* parsed.splice(0);
    if (isTooLarge) throw new AnswerTooLarge();
  }
}

/** The JSON object of a text; undefined if it is none. */
export function readObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** JSON has line breaks between its tokens only, and a message is one line. */
export const asLine = (json: string): string => json.replaceAll(/[\r\n]+/g, ' ');
