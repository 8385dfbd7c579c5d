/**
 * Reads an own property of a record whose keys come from sources, such as bookmakers. `constructor` and `__proto__` are
 * well-formed slugs and must not read or change inherited members.
 */
export const ownValue = <Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;

/** A copy with one member set. A computed key defines a member under any name. */
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

/** Deletes one member in place. @returns whether any are left */
export function deleteOwn(record: Record<string, unknown>, key: string): boolean {
  delete record[key];
  for (const other in record) if (Object.hasOwn(record, other)) return true;
  return false;
}

/** A copy with only these members; absent ones are left out. */
export function pick<T extends object, const Name extends keyof T>(from: T, names: readonly Name[]): Pick<T, Name> {
  const result: Partial<T> = {};
  for (const name of names) if (from[name] !== undefined) result[name] = from[name];
  return result as Pick<T, Name>;
}

/** A copy of `base` with the defined members of `values`. */
export function mergeDefined<T extends object>(base: T | null | undefined, values: object): T {
  const result: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(values)) if (value !== undefined) result[key] = value;
  return result as T;
}
