import type { Readable } from 'node:stream';

/** Number of bytes that show how a file begins. */
const BEGINNING_BYTES = 256;

/** How a file begins, and all of its bytes, the beginning too. */
export async function peekBeginning(
  stream: Readable,
): Promise<{ readonly beginning: string; readonly bytes: AsyncIterable<Uint8Array> }> {
  const iterator = (stream as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let length = 0;
  while (length < BEGINNING_BYTES) {
    const next = await iterator.next();
    if (next.done) break;
    first.push(next.value);
    length += next.value.length;
  }
  const head = Buffer.concat(first);
  async function* bytes() {
    if (head.length > 0) yield head as Uint8Array;
    yield* { [Symbol.asyncIterator]: () => iterator };
  }
  return { beginning: head.subarray(0, BEGINNING_BYTES).toString(), bytes: bytes() };
}
