import { type PlayerNamesDocument, playerNamesIndex } from '../projections/directory/player-names.ts';
import { type TeamNamesDocument, teamNamesIndex } from '../projections/directory/team-names.ts';
import { ONE_PARTITION } from '../src/domain/event-sourcing/partition-of.ts';
import type { Projection } from '../src/domain/event-sourcing/projection.ts';
import type { ReadStore } from '../src/read-models/store/read-store.ts';

const BATCH = 5000;

/** Fills the indexes of names, as a directory of these would. */
export async function fillNames(
  store: ReadStore,
  teams: readonly TeamNamesDocument[],
  players: readonly PlayerNamesDocument[],
): Promise<void> {
  await put(store, teamNamesIndex, teams);
  await put(store, playerNamesIndex, players);
}

async function put(store: ReadStore, projection: Projection, documents: readonly { readonly id: number }[]) {
  await store.prepare(projection, 'v1');
  let expected: bigint | null = null;
  for (let from = 0; from < documents.length; from += BATCH) {
    const writes = documents.slice(from, from + BATCH).map((document) => ({
      key: String(document.id),
      document,
      position: BigInt(document.id),
      isNew: true,
    }));
    const checkpoint = writes.at(-1)!.position;
    const commit = {
      projection: projection.name,
      generation: 'v1',
      partition: ONE_PARTITION,
      writes,
      expected,
      checkpoint,
    };
    await store.commit([commit]);
    expected = checkpoint;
  }
}
