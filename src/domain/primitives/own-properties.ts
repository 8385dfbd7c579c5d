/**
 * Records keyed by what a source says, such as bookmakers: `constructor` and `__proto__` are well-formed slugs, and
 * must neither find what every object inherits nor change it.
 */
export const ownValue = <Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;

/** A copy with one member set. A computed key defines a member, whatever its name. */
export const withOwn = <Value>(
  record: Readonly<Record<string, Value>>,
  key: string,
  value: Value,
): Record<string, Value> => ({ ...record, [key]: value });

/** Sets one member in place. */
export function setOwn<Value>(record: Record<string, Value>, key: string, value: Value): void {
  if (key === '__proto__') {
    Object.defineProperty(record, key, { value, writable: true, enumerable: true, configurable: true });
  } else record[key] = value;
}

/** Some members of an object: those among these that it has. */
export function pick<T extends object, const Name extends keyof T>(from: T, names: readonly Name[]): Pick<T, Name> {
  const result: Partial<T> = {};
  for (const name of names) if (from[name] !== undefined) result[name] = from[name];
  return result as Pick<T, Name>;
}
