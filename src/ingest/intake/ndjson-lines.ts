import { isUtf8 } from 'node:buffer';
import { MAX_MESSAGE_BYTES, tooLargeRejection } from '../../domain/feed/parse-message.ts';
import type { Rejection } from '../../domain/feed/rejection.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import type { IntakeItem } from './intake.ts';

/** A longer line counts as one message. It is rejected without being held in memory. */
export const MAX_LINE_BYTES = MAX_MESSAGE_BYTES;

/** A line that is not blank: text for the intake, or the reason for a rejection. */
export type Line = Extract<IntakeItem, { text: string }> | { readonly line: number; readonly rejection: Rejection };

const NEWLINE = 10;
/** Bytes that are split without a pause. */
const BYTES_AT_ONCE = 16 * 1024;

/**
 * Splits bytes into lines, counted from 1, however the bytes are divided into chunks: `push` returns the lines that a
 * chunk completes, `end` returns a last line without a newline. Blank lines are counted but not returned. A carriage
 * return before the newline and a byte order mark at the very start are not part of a line.
 */
export class LineSplitter {
  readonly #maxBytes: number;
  #line = 0;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;

  constructor(maxBytes = MAX_LINE_BYTES) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Uint8Array): Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (let to = chunk.indexOf(NEWLINE); to !== -1; to = chunk.indexOf(NEWLINE, from)) {
      // A body may consist of newlines only: they must cost next to nothing.
      if (to === from && this.#pendingBytes === 0) this.#line++;
      else {
        this.#append(chunk.subarray(from, to));
        this.#complete(lines);
      }
      from = to + 1;
    }
    this.#append(chunk.subarray(from));
    return lines;
  }

  end(): Line[] {
    const lines: Line[] = [];
    this.#complete(lines);
    return lines;
  }

  #append(bytes: Uint8Array): void {
    this.#pendingBytes += bytes.length;
    // One byte more than the limit: the last byte may be the carriage return.
    if (this.#pendingBytes > this.#maxBytes + 1) this.#pending = [];
    else if (bytes.length > 0) this.#pending.push(bytes);
  }

  #complete(lines: Line[]): void {
    const line = ++this.#line;
    const tooLong = this.#pendingBytes > this.#maxBytes + 1;
    const bytes = this.#pending.length === 1 ? this.#pending[0]! : Buffer.concat(this.#pending);
    this.#pending = [];
    this.#pendingBytes = 0;
    if (tooLong) {
      lines.push({ line, rejection: this.#tooLarge() });
      return;
    }
    const decoded = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    const text = (line === 1 && decoded.startsWith('\ufeff') ? decoded.slice(1) : decoded).replace(/\r$/, '');
    if (text.trim() === '') return;
    if (bytes.length - (bytes.at(-1) === 13 ? 1 : 0) > this.#maxBytes) {
      lines.push({ line, rejection: this.#tooLarge() });
    } else if (text.includes('\ufffd') && !isUtf8(bytes)) {
      lines.push({ line, rejection: { code: 'invalid_utf8', message: 'the line is not UTF-8', path: '' } });
    } else {
      lines.push({ line, text });
    }
  }

  #tooLarge(): Rejection {
    return tooLargeRejection(this.#maxBytes);
  }
}

/** A message that was cut out of a larger valid UTF-8 text. It may be as long as a line. */
export const toLine = (line: number, bytes: Buffer): Line =>
  bytes.length > MAX_LINE_BYTES ? { line, rejection: tooLargeRejection() } : { line, text: bytes.toString('utf8') };

/** The lines of a byte stream, in groups as they arrive. Passes on errors of the input. */
export async function* splitLines(
  input: AsyncIterable<Uint8Array>,
  maxBytes = MAX_LINE_BYTES,
): AsyncGenerator<readonly Line[]> {
  const splitter = new LineSplitter(maxBytes);
  for await (const chunk of input) {
    // A chunk may hold very many short lines.
    for (let from = 0; from < chunk.length; from += BYTES_AT_ONCE) {
      // Not before the first part: a small input must not wait.
      if (from > 0) await yieldToEventLoop();
      const lines = splitter.push(chunk.subarray(from, from + BYTES_AT_ONCE));
      if (lines.length > 0) yield lines;
    }
  }
  const last = splitter.end();
  if (last.length > 0) yield last;
}
