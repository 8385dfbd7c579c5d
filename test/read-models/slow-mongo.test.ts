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
  /** After which the server itself ends a command. */
  const limits = new Set<number | undefined>();
  let inTime = writesInTime;
  let isLate = false;
  const client = {
    async bulkWrite(
      models: readonly { readonly name: string; readonly filter: { readonly _id: string } }[],
      options: { readonly maxTimeMS?: number },
    ) {
      limits.add(options.maxTimeMS);
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
  return { commands, limits, commit, quicken: () => (inTime = Number.POSITIVE_INFINITY) };
}

const partOf = (count: number, partition = ONE_PARTITION) => ({
  generation,
  partition,
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
  const done = commands.slice(-9);
  expect(done.flatMap((command) => command.filter((write) => write.startsWith('replaceOne')))).toEqual(
    partOf(200).documents.map(({ _id }) => `replaceOne ${_id}`),
  );
  expect(done.map(([first]) => first)).toEqual(done.map(() => fence));
  expect(done.map((command) => command.lastIndexOf(fence) > 0)).toEqual([...Array(8).fill(false), true]);
  // And when it has become quick it gets all of it with one command again.
  quicken();
  for (let commits = 0; commits < 10; commits++) await commit([partOf(200)]);
  commands.length = 0;
  await commit([partOf(200)]);
  expect(commands).toHaveLength(1);
});

it('commits of many partitions go to a slow server in pieces too, and none outlives the wait for it', async () => {
  // Given a server that does 40 writes in time, and what a process brings that has taken over a hundred partitions.
  const { commands, limits, commit } = slowServer(40);
  const parts = Array.from({ length: 100 }, (_, index) => partOf(index === 60 ? 90 : 0, `${index}`));
  let tries = 0;
  for (let isDone = false; !isDone && tries < 20; tries++) {
    commands.length = 0;
    isDone = await commit(parts).then(...([() => true, () => false] as const));
  }
  expect(tries).toBeLessThan(6);
  // Then every checkpoint has its fence before anything is written, and moves after everything was.
  const writes = commands.flat();
  const [firstDocument, lastDocument] = [writes.indexOf('replaceOne d0'), writes.indexOf('replaceOne d89')];
  const checkpoints = parts.map(({ partition }) => `updateOne things_1/${partition}`);
  expect(writes.slice(0, firstDocument)).toEqual(expect.arrayContaining(checkpoints));
  expect(writes.slice(lastDocument + 1)).toEqual(checkpoints);
  // And each command with documents begins with the fence of theirs, and is ended by the server before the driver repeats it.
  for (const command of commands) {
    const document = command.findIndex((write) => write.startsWith('replaceOne'));
    if (document >= 0) expect(command.slice(0, document)).toContain('updateOne things_1/60');
  }
  expect([...limits].every((limit) => limit !== undefined && limit < 4000)).toBe(true);
});
