/**
 * What an answer lists, without what it repeats: of two with the same id the last one stands, in its place. What has
 * no id stays.
 */
export function lastOfEach<T>(items: readonly T[], idOf: (item: T) => string | undefined): T[] {
  const last = new Map(items.map((item, index) => [idOf(item), index]));
  return items.filter((item, index) => {
    const id = idOf(item);
    return id === undefined || last.get(id) === index;
  });
}
