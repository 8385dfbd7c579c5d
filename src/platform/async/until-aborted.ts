/** What comes, until the signal is aborted: then it throws the signal's reason, also while nothing comes. */
export async function* untilAborted<Piece>(input: AsyncIterable<Piece>, signal: AbortSignal): AsyncGenerator<Piece> {
  const pieces = input[Symbol.asyncIterator]();
  for (;;) {
    const next = await orAborted(pieces.next(), signal);
    if (next.done) return;
    yield next.value;
  }
}

/** A race against one promise that stands for the abortion would keep every result for as long as that promise. */
function orAborted<Result>(awaited: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    const settled = () => signal.removeEventListener('abort', abort);
    signal.addEventListener('abort', abort, { once: true });
    awaited.then(resolve, reject).finally(settled);
    if (signal.aborted) abort();
  });
}
