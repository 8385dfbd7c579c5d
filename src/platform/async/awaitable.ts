/** A value that may be there at once, or later. */
export type Awaitable<T> = T | Promise<T>;

/** Goes on with a value, in the same moment where the value is there: an `await` would always go on in a later one. */
export const mapAwaitable = <T, Result>(
  value: Awaitable<T>,
  next: (value: T) => Awaitable<Result>,
): Awaitable<Result> => (value instanceof Promise ? value.then(next) : next(value));
