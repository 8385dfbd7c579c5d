import { MAX_LINE_BYTES } from '../../ingest/lines.ts';

/** An input of which every line arrives whole; where reading it failed, and why, once it has ended. */
export interface WholeLines extends AsyncIterable<Uint8Array> {
  readonly failure: Error | undefined;
}

/**
 * Ends where reading fails instead of throwing, so that what came before goes in and is reported, without the
 * beginning of a line that a cut-off input ends with. The caller looks at `failure` afterwards.
 */
export function wholeLines(input: AsyncIterable<Uint8Array>): WholeLines {
  let failure: Error | undefined;
  async function* read(): AsyncGenerator<Uint8Array> {
    let tail: Uint8Array = new Uint8Array();
    try {
      for await (const piece of input) {
        const end = piece.lastIndexOf(10) + 1;
        // A line beyond the limit is rejected wherever it ends: no need to hold it back.
        if (end === 0 && tail.length + piece.length <= MAX_LINE_BYTES) {
          tail = tail.length === 0 ? piece : Buffer.concat([tail, piece]);
          continue;
        }
        const until = end === 0 ? piece.length : end;
        if (tail.length > 0) yield tail;
        if (until > 0) yield piece.subarray(0, until);
        tail = piece.subarray(until);
      }
      if (tail.length > 0) yield tail;
    } catch (error) {
      failure = error as Error;
    }
  }
  return {
    get failure() {
      return failure;
    },
    [Symbol.asyncIterator]: read,
  };
}
