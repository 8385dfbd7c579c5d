/** Some members of an object: those among these that it has. */
export function picked<T extends object, const Name extends keyof T>(from: T, names: readonly Name[]): Pick<T, Name> {
  const result: Partial<T> = {};
  for (const name of names) if (from[name] !== undefined) result[name] = from[name];
  return result as Pick<T, Name>;
}
