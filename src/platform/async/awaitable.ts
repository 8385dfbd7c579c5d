/** A value, or a promise of it. */
export type Awaitable<T> = T | Promise<T>;

/** Applies `next` to a value. Unlike `await`, it stays synchronous if the value is not a promise. */
export const mapAwaitable = <T, Result>(
  value: Awaitable<T>,
  next: (value: T) => Awaitable<Result>,
): Awaitable<Result> => (value instanceof Promise ? value.then(next) : next(value));
