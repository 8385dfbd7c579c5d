/**
 * The options by which an `LRUCache` holds so many entries at most. With its own option `max` it takes the memory of all
 * of them when it is made: some 30 bytes each.
 */
export const entriesAtMost = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 });
