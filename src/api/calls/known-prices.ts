import type { Operation } from './operation.ts';

/** The most that a call can cost, by the operation's name, where that is more than nothing whatever is asked. */
export const knownPrices = (operations: readonly Operation[]): ReadonlyMap<string, number> =>
  new Map(operations.flatMap(({ name, price }) => (price.most ? [[name, price.most] as const] : [])));
