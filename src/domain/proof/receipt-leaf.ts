import type { LeafContent } from './sealed-leaf.ts';

/** A receipt as its answer shows it. */
export interface SealedReceipt {
  readonly id: string;
  readonly graded_at: string;
  /** The slip as it was understood. */
  readonly request: unknown;
  readonly result: unknown;
}

/** What the leaf of a receipt says. The `receipt` in the result is left out: it is made of the id, the time and the place. */
export function receiptLeaf({ id, graded_at, request, result }: SealedReceipt): LeafContent {
  const isObject = typeof result === 'object' && result !== null && !Array.isArray(result);
  const { receipt: _, ...answer } = (isObject ? result : { result }) as Readonly<Record<string, unknown>>;
  return { kind: 'receipt', id, graded_at, request, result: answer };
}
