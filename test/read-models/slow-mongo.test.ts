import { expect, it } from 'vitest';
import { ONE_PARTITION } from '../../src/domain/event-sourcing/partition-of.ts';
import { createMongoCommit } from '../../src/read-models/store/mongo/mongo-commit.ts';
import type { MongoConnection } from '../../src/read-models/store/mongo/mongo-connection.ts';
import type { MongoDocument } from '../../src/read-models/store/mongo/mongo-documents.ts';
import { ReadStoreUnavailable } from '../../src/read-models/store/mongo/read-store-unavailable.ts';

const generation = { projection: 'things', name: 'v1', collection: 'things_1', layout: { fields: {}, indexes: [] } };

/** A double of a server that does so many writes in the time that is waited for it; no such server can be made slow here. */
function slowServer(writesInTime: number) {
  const commands: string[][] = [];
  let inTime = writesInTime;
  let isLate = false;
  const client = {
    async bulkWrite(models: readonly { readonly name: string; readonly filter: { readonly _id: string } }[]) {
      isLate = models.length > inTime;
      commands.push(models.map(({ name, filter }) => `${name} ${filter._id}`));
    },
  };
  const connection = {
    client,
    database: { databaseName: 'test' },
    onDisconnected() {},
    async request(work: () => Promise<unknown>) {
      const answer = await work();
      if (isLate) throw new ReadStoreUnavailable('no answer in time');
      return answer;
    },
  };
  const commit = createMongoCommit(connection as unknown as MongoConnection);
  return { commands, commit, quicken: () => (inTime = Number.POSITIVE_INFINITY) };
}

const partOf = (count: number) => ({
  generation,
  partition: ONE_PARTITION,
  expected: 1n,
  checkpoint: 2n,
  documents: Array.from(
    { length: count },
    (_, index): MongoDocument => ({ _id: `d${index}`, n: null, p: 2n, b: '{}' }),
  ),
});

it('a server that is slow for long gets less at a time, until a commit is done; then more again', async () => {
  // Given a server that does 40 writes in time.
  const { commands, commit, quicken } = slowServer(40);
  // When a commit of 200 documents is tried again and again, as projectors do.
  let tries = 1;
  while (tries < 20 && !(await commit([partOf(200)]).then(...([() => true, () => false] as const)))) tries++;
  // Then it is done soon, in pieces, each behind its fence, with the checkpoint in the last one alone.
  expect(tries).toBeLessThan(6);
  const fence = `updateOne things_1/${ONE_PARTITION}`;
  const done = commands.slice(-7);
  expect(done.flatMap((command) => command.filter((write) => write.startsWith('replaceOne')))).toEqual(
    partOf(200).documents.map(({ _id }) => `replaceOne ${_id}`),
  );
  expect(done.map(([first]) => first)).toEqual(done.map(() => fence));
  expect(done.map((command) => command.lastIndexOf(fence) > 0)).toEqual([...Array(6).fill(false), true]);
  // And when it has become quick it gets all of it with one command again.
  quicken();
  for (let commits = 0; commits < 10; commits++) await commit([partOf(200)]);
  commands.length = 0;
  await commit([partOf(200)]);
  expect(commands).toHaveLength(1);
});
