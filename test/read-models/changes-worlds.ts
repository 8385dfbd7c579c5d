import { createMemoryLog } from '../../src/event-log/storage/memory-log.ts';
import { createMemoryDocumentChanges } from '../../src/read-models/projector/memory-document-changes.ts';
import { createMemoryStore } from '../../src/read-models/store/memory-store.ts';
import type { ChangesWorld } from './changes.contract.ts';
import { append, runnerOf } from './runner-kit.ts';
import { tallies } from './toys.ts';

export async function runnerChanges(): Promise<ChangesWorld> {
  const log = createMemoryLog();
  const store = createMemoryStore();
  const runner = runnerOf(log, store, [tallies()]);
  await runner.start();
  await runner.caughtUp();
  return {
    documentChanges: runner.documentChanges,
    async count(...keys) {
      const last = await append(log, ...keys.map((key) => ({ type: 'Counted', key, amount: 1 })));
      await runner.waitFor(last);
      return keys.map((_, index) => last - BigInt(keys.length - 1 - index));
    },
    positionOf: async (key) => (await store.get('tallies', key))?.position,
    async told() {},
    end: () => runner.stop(),
  };
}

export async function memoryChanges(): Promise<ChangesWorld> {
  const memory = createMemoryDocumentChanges();
  const documents = new Map<string, { sum: number; position: bigint }>();
  let position = 0n;
  return {
    documentChanges: memory.documentChanges,
    async count(...keys) {
      const changes = keys.map((key) => {
        // With gaps, as between the records of others.
        position += 2n;
        const document = { sum: (documents.get(String(key))?.sum ?? 0) + 1, position };
        documents.set(String(key), document);
        return { key: String(key), document, position };
      });
      memory.publish({ projection: 'tallies', changes });
      return changes.map((change) => change.position);
    },
    positionOf: async (key) => documents.get(key)?.position,
    async told() {},
    async end() {
      memory.end();
    },
  };
}
