const LINE_FEED = 10;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

export interface ByteLine {
  /** From 1; blank lines count. */
  readonly line: number;
  readonly bytes: Buffer;
}

/** Cuts a stream of bytes into lines, without their line feeds and without a byte order mark at the start. */
export async function* byteLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<ByteLine> {
  // Pieces of a line that has not ended: joined once, since a line may come in very many of them.
  let pieces: Buffer[] = [];
  let line = 0;
  const next = (last: Buffer): ByteLine => {
    const bytes = pieces.length === 0 ? last : Buffer.concat([...pieces, last]);
    pieces = [];
    line++;
    return { line, bytes: line === 1 ? withoutBom(bytes) : bytes };
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      yield next(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) pieces.push(chunk.subarray(start));
  }
  if (pieces.length > 0) yield next(Buffer.alloc(0));
}

export const withoutBom = (bytes: Buffer): Buffer => (bytes.subarray(0, 3).equals(BOM) ? bytes.subarray(3) : bytes);
