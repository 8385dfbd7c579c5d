/** Yields the pieces of the input. When the signal is aborted, throws its reason, even while waiting for input. */
export async function* untilAborted<Piece>(input: AsyncIterable<Piece>, signal: AbortSignal): AsyncGenerator<Piece> {
  const pieces = input[Symbol.asyncIterator]();
  for (;;) {
    const next = await orAborted(pieces.next(), signal);
    if (next.done) return;
    yield next.value;
  }
}

/** `Promise.race` with one long-lived abort promise would keep every result in memory as long as that promise. */
function orAborted<Result>(awaited: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    const settled = () => signal.removeEventListener('abort', abort);
    signal.addEventListener('abort', abort, { once: true });
    awaited.then(resolve, reject).finally(settled);
    if (signal.aborted) abort();
  });
}
