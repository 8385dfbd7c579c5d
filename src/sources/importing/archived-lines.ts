import { asRecord, asText, asTime, type Json } from './json-file.ts';

/** One answer of an archive. */
export interface ArchivedLine {
  /** When its head arrived, in milliseconds. */
  readonly receivedAt: number;
  readonly url: string;
  /** Undefined where no answer came. */
  readonly status: number | undefined;
  /** In lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined where none came. */
  readonly body: string | undefined;
}

/** An answer has 32 MiB at most, and its text grows where it is written as JSON. */
const MAX_LINE_BYTES = 80 * 1024 * 1024;
const NEWLINE = 10;

/**
 * The answers of an archive file, in their order, with their lines; undefined for a line that is none. A last line that
 * nothing ends and that is no whole answer is left out: it was being written.
 */
export async function* archivedLines(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ readonly line: number; readonly answer: ArchivedLine | undefined }> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  let line = 0;
  for await (const chunk of bytes) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      const text = length > MAX_LINE_BYTES ? '' : Buffer.concat([...pieces, chunk.subarray(from, end)]).toString();
      pieces = [];
      length = 0;
      from = end + 1;
      line++;
      if (text.trim() !== '') yield { line, answer: readLine(text) };
    }
    length += chunk.length - from;
    // What is too long for an answer is not held until it ends.
    if (length > MAX_LINE_BYTES) pieces = [];
    else pieces.push(chunk.subarray(from));
  }
  const last = readLine(Buffer.concat(pieces).toString());
  if (last) yield { line: line + 1, answer: last };
}

function readLine(text: string): ArchivedLine | undefined {
  let given: Json;
  try {
    given = asRecord(JSON.parse(text));
  } catch {
    return undefined;
  }
  const receivedAt = asTime(given['received_at']);
  const url = asText(given['url']);
  if (receivedAt === undefined || url === undefined || !('status' in given)) return undefined;
  const headers = Object.entries(asRecord(given['headers'])).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name.toLowerCase(), value] as const] : [],
  );
  return {
    receivedAt,
    url,
    status: typeof given['status'] === 'number' ? given['status'] : undefined,
    headers: Object.fromEntries(headers),
    body: typeof given['body'] === 'string' ? given['body'] : undefined,
  };
}
