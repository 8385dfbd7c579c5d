import { createMemoryStore } from '../../src/read-models/store/memory-store.ts';
import type { ReadStore } from '../../src/read-models/store/read-store.ts';
import { openSqliteStore } from '../../src/read-models/store/sqlite/sqlite-store.ts';

export type TestedStore = readonly [name: string, open: () => ReadStore];

/** The stores on which everything is tested that works on any. */
export const testedStores: TestedStore[] = [
  ['memory', () => createMemoryStore()],
  ['sqlite', () => openSqliteStore({ file: ':memory:' })],
];

/** Has the test files that are imported afterwards test this store, and no other. */
export function testOn(name: string, open: () => ReadStore): void {
  testedStores.splice(0, testedStores.length, [name, open]);
}
