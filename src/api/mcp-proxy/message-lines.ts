const NEWLINE = 10;

/** Splits bytes into lines, however they are divided into chunks. */
export interface LineReader {
  /** The lines that a chunk completes; undefined for one that was too long, of which nothing is kept. */
  push(chunk: Uint8Array): readonly (string | undefined)[];
  /** What stands behind the last newline. */
  end(): string | undefined;
}

/**
 * The intake has a splitter too, which knows the feed contract: with it the bundle for agents would be twenty times as
 * large.
 */
export function createLineReader(maxBytes: number): LineReader {
  let pending: Uint8Array[] = [];
  let size = 0;

  function append(bytes: Uint8Array): void {
    size += bytes.length;
    if (size > maxBytes) pending = [];
    else if (bytes.length > 0) pending.push(bytes);
  }

  function complete(): string | undefined {
    const line = size > maxBytes ? undefined : Buffer.concat(pending).toString('utf8');
    pending = [];
    size = 0;
    return line;
  }

  return {
    push(chunk) {
      const lines: (string | undefined)[] = [];
      let from = 0;
      for (let to = chunk.indexOf(NEWLINE); to !== -1; to = chunk.indexOf(NEWLINE, from)) {
        append(chunk.subarray(from, to));
        lines.push(complete());
        from = to + 1;
      }
      append(chunk.subarray(from));
      return lines;
    },
    end: complete,
  };
}
