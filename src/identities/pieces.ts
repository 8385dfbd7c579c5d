/** Sizes of the pieces in which rows are written and keys are looked up: few, so that statements are prepared once. */
const PIECES = [256, 32, 4, 1];

export function* pieces<T>(items: readonly T[]): Generator<T[]> {
  let start = 0;
  for (const size of PIECES) {
    for (; items.length - start >= size; start += size) yield items.slice(start, start + size);
  }
}
