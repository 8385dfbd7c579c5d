import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ONE_PARTITION } from '../../src/domain/event-sourcing/partition-of.ts';
import {
  CheckpointMoved,
  type Derivation,
  DocumentRejected,
  type DocumentWrite,
  GenerationNotFound,
  type Query,
  type ReadStore,
} from '../../src/read-models/store/read-store.ts';
import { type Thing, things } from './toys.ts';

export interface ContractOptions {
  /** Cases that an adapter cannot keep, by their titles, and why. */
  readonly skip?: readonly { readonly reason: string; readonly tests: readonly string[] }[];
}

/** What every adapter of the read store must do. `open` gives a new, empty store. */
export function readStoreContract(
  name: string,
  open: () => Promise<ReadStore>,
  { skip = [] }: ContractOptions = {},
): void {
  describe(`read store: ${name}`, () => {
    let store: ReadStore;
    beforeEach(async (context) => {
      store = await open();
      const skipped = skip.find(({ tests }) => tests.includes(context.task.name));
      if (skipped) context.skip(skipped.reason);
    });
    afterEach(async () => {
      await store.close();
    });

    const put = async (documents: Readonly<Record<string, Thing>>, position = 1n, generation = 'v1') => {
      const expected = await store.checkpoint('things', generation, ONE_PARTITION);
      const writes = Object.entries(documents).map(([key, document]) => ({ key, document, position }));
      await store.commit([
        { projection: 'things', generation, partition: ONE_PARTITION, writes, expected, checkpoint: position },
      ]);
    };
    const keys = async (query: Query) => (await store.find('things', query)).map(({ key }) => key);

    describe('builds', () => {
      it('makes the first build active, and later ones not', async () => {
        expect(await store.activeGeneration('things')).toBeNull();
        await store.prepare(things, 'v1');
        await store.prepare(things, 'v1.1');
        expect(await store.activeGeneration('things')).toBe('v1');
        expect(await store.generations('things')).toEqual(['v1', 'v1.1']);
      });

      it('keeps what a build holds when it is prepared again', async () => {
        await store.prepare(things, 'v1');
        await put({ 1: { name: 'a' } });
        await store.prepare(things, 'v1');
        expect(await store.get('things', '1')).toEqual({ key: '1', document: { name: 'a' }, position: 1n });
        expect(await store.checkpoint('things', 'v1', ONE_PARTITION)).toBe(1n);
      });

      it('refuses a build with other indexes', async () => {
        await store.prepare(things, 'v1');
        await expect(store.prepare({ ...things, indexes: [['rank']] }, 'v1')).rejects.toThrow(/raise the projection/);
      });

      it('reads the active build until another takes over, and keeps the old one until it is dropped', async () => {
        await store.prepare(things, 'v1');
        await put({ 1: { name: 'old' } });
        await store.prepare(things, 'v2');
        await put({ 1: { name: 'new' }, 2: {} }, 7n, 'v2');
        expect((await store.get<Thing>('things', '1'))?.document.name).toBe('old');
        expect(await store.load('things', 'v2', ['1'])).toMatchObject([{ document: { name: 'new' } }]);

        await store.activate('things', 'v2');
        expect((await store.get<Thing>('things', '1'))?.document.name).toBe('new');
        expect(await keys({ limit: 10 })).toEqual(['1', '2']);
        expect(await store.generations('things')).toEqual(['v1', 'v2']);
        expect(await store.load('things', 'v1', ['1'])).toMatchObject([{ document: { name: 'old' } }]);

        await store.drop('things', 'v1');
        expect(await store.generations('things')).toEqual(['v2']);
        expect(await store.checkpoint('things', 'v2', ONE_PARTITION)).toBe(7n);
      });

      it('lets a build take over from the one that is named, only where that is read and stands as said', async () => {
        await store.prepare(things, 'v1');
        await store.prepare(things, 'v1.1');
        await store.prepare(things, 'v1.2');
        await put({ 1: {} }, 7n);
        const taking = (generation: string, checkpoint: bigint | null) =>
          store.activate('things', 'v1.2', { generation, partition: ONE_PARTITION, checkpoint });
        await expect(taking('v1', 6n)).rejects.toThrow(CheckpointMoved);
        await expect(taking('v1', null)).rejects.toThrow(CheckpointMoved);
        await expect(taking('v1.1', null)).rejects.toThrow(GenerationNotFound);
        await expect(taking('v9', 7n)).rejects.toThrow(GenerationNotFound);
        expect(await store.generations('things')).toEqual(['v1', 'v1.1', 'v1.2']);
        expect(await store.activeGeneration('things')).toBe('v1');

        await taking('v1', 7n);
        await store.drop('things', 'v1');
        await store.drop('things', 'v1.1');
        expect(await store.generations('things')).toEqual(['v1.2']);
        // Its answer may have been lost: asked for again, it is done.
        await taking('v1', 7n);
        await store.drop('things', 'v1');
        expect(await store.activeGeneration('things')).toBe('v1.2');
      });

      it.each([null, 7n])('closes a build whose place at %s another has taken', async (place) => {
        await store.prepare(things, 'v1');
        await store.prepare(things, 'v1.1');
        if (place !== null) await put({ 1: { name: 'old' } }, place);
        await store.activate('things', 'v1.1', { generation: 'v1', partition: ONE_PARTITION, checkpoint: place });
        const writes = [{ key: '2', document: {}, position: 8n }];
        const part = { projection: 'things', generation: 'v1', partition: ONE_PARTITION, writes };

        // Also for one that finds it only now.
        expect(await store.checkpoint('things', 'v1', ONE_PARTITION)).toBeNull();
        for (const expected of [null, place]) {
          await expect(store.commit([{ ...part, expected, checkpoint: 8n }])).rejects.toThrow(CheckpointMoved);
          await expect(store.write({ ...part, expected })).rejects.toThrow(CheckpointMoved);
        }

        // Who looked up a moment ago what is read can still read it.
        const documents = await store.load('things', 'v1', ['1', '2']);
        expect(documents.map((one) => one?.document.name)).toEqual([place === null ? undefined : 'old', undefined]);
        await put({ 1: { name: 'new' } }, 9n, 'v1.1');
        expect((await store.get<Thing>('things', '1'))?.document.name).toBe('new');
      });

      it('drops a build that is not active, which can then be prepared anew with other fields', async () => {
        await store.prepare(things, 'v1');
        await store.prepare(things, 'v2');
        await put({ 1: {} }, 1n, 'v2');
        await store.drop('things', 'v2');
        await store.prepare({ ...things, indexes: [['live']] }, 'v2');
        expect(await store.load('things', 'v2', ['1'])).toEqual([undefined]);
        expect(await store.checkpoint('things', 'v2', ONE_PARTITION)).toBeNull();
      });

      it('does not drop the active build', async () => {
        await store.prepare(things, 'v1');
        await expect(store.drop('things', 'v1')).rejects.toThrow(/active/);
      });

      it('rejects reads of a projection that has no build', async () => {
        await expect(store.get('things', '1')).rejects.toThrow(/no build/);
        await expect(store.find('things', { limit: 1 })).rejects.toThrow(/no build/);
      });
    });

    describe('commit', () => {
      beforeEach(async () => {
        await store.prepare(things, 'v1');
      });

      it('does not let an older write overwrite a newer document', async () => {
        await put({ 1: { name: 'new', teams: [1] } }, 5n);
        const write = { key: '1', document: { name: 'old', teams: [2] }, position: 4n };
        await store.commit([
          {
            projection: 'things',
            generation: 'v1',
            partition: ONE_PARTITION,
            writes: [write],
            expected: 5n,
            checkpoint: 6n,
          },
        ]);
        expect(await store.get('things', '1')).toMatchObject({ document: { name: 'new' }, position: 5n });
        expect(await keys({ where: { teams: 2 }, limit: 9 })).toEqual([]);
        expect(await keys({ where: { teams: 1 }, limit: 9 })).toEqual(['1']);
      });

      it('does not let it either when their fields are the same', async () => {
        await put({ 1: { name: 'a', note: 2 } }, 5n);
        const write = { key: '1', document: { name: 'a', note: 1 }, position: 4n };
        await store.commit([
          {
            projection: 'things',
            generation: 'v1',
            partition: ONE_PARTITION,
            writes: [write],
            expected: 5n,
            checkpoint: 6n,
          },
        ]);
        expect(await store.get('things', '1')).toEqual({ key: '1', document: { name: 'a', note: 2 }, position: 5n });
      });

      it('takes the last of several writes of one document', async () => {
        await put({ 1: { name: 'a', note: 1 } }, 5n);
        const writes = [{ name: 'b' }, { name: 'a', note: 2 }].map((document) => ({
          key: '1',
          document,
          position: 6n,
        }));
        await store.commit([
          { projection: 'things', generation: 'v1', partition: ONE_PARTITION, writes, expected: 5n, checkpoint: 6n },
        ]);
        expect(await store.get('things', '1')).toMatchObject({ document: { name: 'a', note: 2 } });
        expect(await keys({ where: { name: 'a' }, limit: 9 })).toEqual(['1']);
      });

      describe('of a deletion', () => {
        const commit = (writes: readonly DocumentWrite[], expected = 5n) =>
          store.commit([
            { projection: 'things', generation: 'v1', partition: ONE_PARTITION, writes, expected, checkpoint: 6n },
          ]);
        const deletion = (key: string, position = 6n) => ({ key, position, isDeletion: true }) as const;

        it('takes the document away, from every query too', async () => {
          await put({ 1: { name: 'a', teams: [1, 2], rank: 1 }, 2: { name: 'a', teams: [2], rank: 2 } }, 5n);
          await commit([deletion('1'), deletion('none')]);
          expect(await store.get('things', '1')).toBeUndefined();
          expect(await store.load('things', 'v1', ['1', '2'])).toMatchObject([undefined, { key: '2' }]);
          expect(await keys({ where: { teams: [1, 2] }, limit: 9 })).toEqual(['2']);
          expect(await keys({ where: { teams: 1 }, limit: 9 })).toEqual([]);
          expect(await keys({ where: { name: 'a' }, order: { field: 'rank', direction: 'asc' }, limit: 9 })).toEqual([
            '2',
          ]);
          expect((await store.scan('things', 'v1', null, 9)).map(({ key }) => key)).toEqual(['2']);
          expect(await store.checkpoint('things', 'v1', ONE_PARTITION)).toBe(6n);
        });

        it('leaves a document that is newer', async () => {
          await put({ 1: { name: 'new', teams: [1] } }, 5n);
          await commit([deletion('1', 4n)]);
          expect(await store.get('things', '1')).toMatchObject({ document: { name: 'new' }, position: 5n });
          expect(await keys({ where: { teams: 1 }, limit: 9 })).toEqual(['1']);
        });

        it('is done again without harm, and lets the document come back', async () => {
          await put({ 1: { name: 'old', teams: [1] } }, 5n);
          const ahead = { projection: 'things', generation: 'v1', partition: ONE_PARTITION, expected: 5n };
          await store.write({ ...ahead, writes: [deletion('1')] });
          await commit([deletion('1')]);
          await put({ 1: { name: 'again', teams: [3] } }, 7n);
          expect(await store.get('things', '1')).toMatchObject({ document: { name: 'again' }, position: 7n });
          expect(await keys({ where: { teams: [1, 3] }, limit: 9 })).toEqual(['1']);
        });

        it('keeps its place among several writes of one document', async () => {
          await put({ 1: { name: 'a' }, 2: { name: 'a' } }, 5n);
          const written = (key: string) => ({ key, document: { name: 'b' }, position: 6n });
          await commit([deletion('1'), written('1'), written('2'), deletion('2')]);
          expect(await store.get('things', '1')).toMatchObject({ document: { name: 'b' } });
          expect(await store.get('things', '2')).toBeUndefined();
        });

        it('does nothing when the checkpoint is not where it was expected', async () => {
          await put({ 1: { name: 'a' } }, 5n);
          await expect(commit([deletion('1')], 4n)).rejects.toBeInstanceOf(CheckpointMoved);
          expect(await store.get('things', '1')).toMatchObject({ document: { name: 'a' } });
        });
      });

      it('keeps positions and checkpoints above 2^53 exact', async () => {
        const position = 2n ** 60n + 1n;
        await put({ 1: {} }, position);
        expect((await store.get('things', '1'))?.position).toBe(position);
        expect(await store.checkpoint('things', 'v1', ONE_PARTITION)).toBe(position);
      });

      it.each([
        ['ahead', 3n],
        ['behind', 1n],
        ['at the start', null],
      ])('writes nothing when the checkpoint is not where it was expected: %s', async (_case, expected) => {
        await store.prepare({ ...things, name: 'others' }, 'v1');
        await put({ 1: { name: 'a' } }, 2n);
        const other = {
          projection: 'others',
          generation: 'v1',
          partition: ONE_PARTITION,
          expected: null,
          checkpoint: 9n,
        };
        const lost = { projection: 'things', generation: 'v1', partition: ONE_PARTITION, expected, checkpoint: 9n };
        const writes = [{ key: '1', document: { name: 'b' }, position: 9n }];
        const commit = store.commit([
          { ...other, writes },
          { ...lost, writes },
        ]);
        await expect(commit).rejects.toMatchObject({ code: 'checkpoint_moved', projection: 'things' });
        await expect(commit).rejects.toBeInstanceOf(CheckpointMoved);
        expect((await store.get<Thing>('things', '1'))?.document.name).toBe('a');
        expect(await store.get('others', '1')).toBeUndefined();
        expect(await store.checkpoint('others', 'v1', ONE_PARTITION)).toBeNull();
      });

      it('takes a dropped build for a lost one', async () => {
        await store.prepare(things, 'v2');
        await store.drop('things', 'v2');
        await expect(
          store.commit([
            {
              projection: 'things',
              generation: 'v2',
              partition: ONE_PARTITION,
              writes: [],
              expected: null,
              checkpoint: 1n,
            },
          ]),
        ).rejects.toBeInstanceOf(CheckpointMoved);
      });

      it('rejects a document that is not JSON, and writes nothing', async () => {
        const commit = put({ 1: {}, 2: { rank: 5n as unknown as number } });
        await expect(commit).rejects.toBeInstanceOf(DocumentRejected);
        await expect(commit).rejects.toMatchObject({ code: 'document_rejected', projection: 'things' });
        expect(await store.get('things', '1')).toBeUndefined();
        expect(await store.checkpoint('things', 'v1', ONE_PARTITION)).toBeNull();
      });

      it('takes a copy: what the writer or a reader changes later is not stored', async () => {
        const document = { name: 'a', teams: [1] };
        await put({ 1: document });
        document.teams.push(2);
        (await store.get<{ teams: number[] }>('things', '1'))!.document.teams.push(3);
        expect((await store.get<Thing>('things', '1'))?.document.teams).toEqual([1]);
      });

      it('writes more documents at once than one statement takes', async () => {
        const all = Array.from({ length: 1000 }, (_, i) => String(i));
        await put(Object.fromEntries(all.map((key) => [key, { rank: Number(key) }])));
        expect(await keys({ limit: 2000 })).toEqual(all);
        const found = await store.getMany<Thing>('things', ['999', 'none', '0']);
        expect(found.map((one) => one?.document.rank)).toEqual([999, undefined, 0]);
      });
    });

    describe('partitions', () => {
      const part = (
        partition: string,
        expected: bigint | null,
        checkpoint: bigint,
        name: string,
        generation = 'v1',
      ) => ({
        projection: 'things',
        generation,
        partition,
        writes: [{ key: `${partition}-${checkpoint}`, document: { name }, position: checkpoint }],
        expected,
        checkpoint,
      });
      const places = async (build: string) =>
        Promise.all(['p1', 'p2', ONE_PARTITION].map((partition) => store.checkpoint('things', build, partition)));
      beforeEach(async () => {
        await store.prepare(things, 'v1');
      });

      it('have a checkpoint each, in every build', async () => {
        await store.prepare(things, 'v1.1');
        expect(await places('v1')).toEqual([null, null, null]);
        await store.commit([part('p1', null, 5n, 'a'), part('p2', null, 2n ** 60n + 1n, 'b')]);
        await store.commit([part('p1', 5n, 9n, 'c'), part('p1', null, 3n, 'd', 'v1.1')]);
        expect(await places('v1')).toEqual([9n, 2n ** 60n + 1n, null]);
        expect(await places('v1.1')).toEqual([3n, null, null]);
        expect(await keys({ where: { name: ['a', 'b', 'c', 'd'] }, limit: 9 })).toHaveLength(3);
      });

      it.each([
        ['ahead', 6n],
        ['behind', 4n],
        ['at the start', null],
      ])('are lost one by one, and with one of them nothing is written: %s', async (_case, expected) => {
        await store.commit([part('p1', null, 5n, 'a'), part('p2', null, 7n, 'a')]);
        const commit = store.commit([part('p2', 7n, 8n, 'b'), part('p1', expected, 8n, 'b')]);
        await expect(commit).rejects.toMatchObject({ code: 'checkpoint_moved', projection: 'things' });
        expect(await places('v1')).toEqual([5n, 7n, null]);
        expect(await keys({ where: { name: 'b' }, limit: 9 })).toEqual([]);
        await store.commit([part('p2', 7n, 8n, 'b')]);
        expect(await places('v1')).toEqual([5n, 8n, null]);
      });

      it('get documents ahead of their checkpoint, while it stands where it was expected', async () => {
        const ahead = (expected: bigint | null) => {
          const { checkpoint: _, ...rest } = part('p1', expected, 6n, 'ahead');
          return store.write(rest);
        };
        await ahead(null);
        expect(await places('v1')).toEqual([null, null, null]);
        expect(await keys({ where: { name: 'ahead' }, limit: 9 })).toEqual(['p1-6']);
        await store.commit([part('p1', null, 5n, 'a')]);
        await expect(ahead(null)).rejects.toBeInstanceOf(CheckpointMoved);
        await expect(ahead(4n)).rejects.toBeInstanceOf(CheckpointMoved);
        await ahead(5n);
        expect(await places('v1')).toEqual([5n, null, null]);
      });

      it('say whether a build may take over', async () => {
        await store.prepare(things, 'v1.1');
        await store.commit([part('p1', null, 5n, 'a')]);
        const taking = (partition: string, checkpoint: bigint | null) =>
          store.activate('things', 'v1.1', { generation: 'v1', partition, checkpoint });
        await expect(taking('p1', null)).rejects.toThrow(CheckpointMoved);
        await expect(taking('p2', 5n)).rejects.toThrow(CheckpointMoved);
        await taking('p1', 5n);
        expect(await store.activeGeneration('things')).toBe('v1.1');
        expect(await places('v1')).toEqual([null, null, null]);
        await expect(store.commit([part('p1', 5n, 6n, 'late')])).rejects.toThrow(CheckpointMoved);
        await expect(store.commit([part('p1', null, 6n, 'late')])).rejects.toThrow(CheckpointMoved);
      });

      it('are forgotten with their build', async () => {
        await store.prepare(things, 'v2');
        await store.commit([part('p1', null, 5n, 'a', 'v2')]);
        await store.drop('things', 'v2');
        await store.prepare(things, 'v2');
        expect(await places('v2')).toEqual([null, null, null]);
      });
    });

    it('gives documents of several projections at once, as one by one', async () => {
      await store.prepare(things, 'v1');
      await store.prepare({ ...things, name: 'others' }, 'v1');
      await put({ 1: { name: 'a' }, 2: { name: 'b' } });
      const writes = [{ key: '1', document: { name: 'other' }, position: 4n }];
      const other = { projection: 'others', generation: 'v1', partition: ONE_PARTITION, writes };
      await store.commit([{ ...other, expected: null, checkpoint: 4n }]);
      const wanted = [
        { projection: 'others', keys: ['1'] },
        { projection: 'things', keys: ['2', 'none', '1'] },
        { projection: 'things', keys: [] },
        { projection: 'others', keys: ['none'] },
      ];
      const found = await store.getAcross(wanted);
      expect(found.map((one) => one.map((stored) => stored?.document.name))).toEqual([
        ['other'],
        ['b', undefined, 'a'],
        [],
        [undefined],
      ]);
      for (const [index, one] of wanted.entries()) {
        expect(found[index]).toEqual(await store.getMany(one.projection, one.keys));
      }
      await expect(store.getAcross([...wanted, { projection: 'nope', keys: [] }])).rejects.toThrow(/no build/);
    });

    describe('what is made of documents', () => {
      const names: Derivation<Thing, { readonly name: string }> = {
        name: 'names',
        derive: ({ name }) => ({ name: `${name}!` }),
        bytesOf: () => 100,
      };
      const lengths: Derivation<Thing, number> = {
        name: 'lengths',
        derive: ({ name }) => name!.length,
        bytesOf: () => 8,
      };
      const namesOf = (...wanted: readonly string[]) => store.getDerived('things', wanted, names);

      it('comes in the order of the keys, with nothing for those that are not there', async () => {
        await store.prepare(things, 'v1');
        await put({ 1: { name: 'a' }, 2: { name: 'bc' } });
        expect(await namesOf('2', 'none', '1')).toEqual([{ name: 'bc!' }, undefined, { name: 'a!' }]);
        expect(await store.getDerived('things', ['2'], lengths)).toEqual([2]);
        await expect(store.getDerived('nope', ['1'], names)).rejects.toThrow(/no build/);
      });

      it('follows the document', async () => {
        await store.prepare(things, 'v1');
        await put({ 1: { name: 'a' }, 2: { name: 'b' } });
        await namesOf('1', '2');
        await put({ 1: { name: 'changed' } }, 2n);
        expect(await namesOf('1', '2', '1')).toEqual([{ name: 'changed!' }, { name: 'b!' }, { name: 'changed!' }]);
      });

      it('is of the build that is active, though another holds the document at the same position', async () => {
        await store.prepare(things, 'v1');
        await store.prepare(things, 'v2');
        await put({ 1: { name: 'old' } });
        await put({ 1: { name: 'new' } }, 1n, 'v2');
        expect(await namesOf('1')).toEqual([{ name: 'old!' }]);
        await store.activate('things', 'v2');
        expect(await namesOf('1')).toEqual([{ name: 'new!' }]);
      });
    });

    describe('find', () => {
      beforeEach(async () => {
        await store.prepare(things, 'v1');
        await put({
          1: { name: 'a', rank: 30, live: true, label: 'new york', teams: [5, 6] },
          2: { name: 'b', rank: 10, live: false, label: 'boston', teams: [5] },
          3: { name: 'a', rank: null, live: null, teams: [] },
          4: { name: 'a', rank: 20, label: 'york', teams: [6, 7] },
          10: { name: null, rank: 20, teams: [5] },
        });
      });

      it('sorts by the number of a decimal key', async () => {
        expect(await keys({ limit: 9 })).toEqual(['1', '2', '3', '4', '10']);
        expect(await keys({ limit: 9, after: { value: null, id: 3 } })).toEqual(['4', '10']);
      });

      it.each<[string, Query, string[]]>([
        ['equality', { where: { name: 'a' }, limit: 9 }, ['1', '3', '4']],
        ['null', { where: { name: null }, limit: 9 }, ['10']],
        ['one of', { where: { name: ['b', null] }, limit: 9 }, ['2', '10']],
        ['one of none', { where: { name: [] }, limit: 9 }, []],
        ['boolean', { where: { live: true }, limit: 9 }, ['1']],
        ['member', { where: { teams: 6 }, limit: 9 }, ['1', '4']],
        ['one of the members, each document once', { where: { teams: [5, 6] }, limit: 9 }, ['1', '2', '4', '10']],
        ['a number is not its text', { where: { teams: '6' }, limit: 9 }, []],
        ['range', { range: { field: 'rank', from: 10, to: 20 }, limit: 9 }, ['2', '4', '10']],
        ['range, half open', { range: { field: 'rank', from: 10, to: 20, exclusive: 'to' }, limit: 9 }, ['2']],
        ['range, open', { range: { field: 'rank', from: 10, to: 30, exclusive: 'both' }, limit: 9 }, ['4', '10']],
        ['range without an end', { range: { field: 'rank', from: 20 }, limit: 9 }, ['1', '4', '10']],
        ['contains', { contains: { field: 'label', text: 'york' }, limit: 9 }, ['1', '4']],
        ['limit', { limit: 2 }, ['1', '2']],
      ])('%s', async (_name, query, expected) => {
        expect(await keys(query)).toEqual(expected);
      });

      it('orders with nulls first, and breaks ties by number in the same direction', async () => {
        expect(await keys({ order: { field: 'rank', direction: 'asc' }, limit: 9 })).toEqual([
          '3',
          '2',
          '4',
          '10',
          '1',
        ]);
        expect(await keys({ order: { field: 'rank', direction: 'desc' }, limit: 9 })).toEqual([
          '1',
          '10',
          '4',
          '2',
          '3',
        ]);
      });

      it('orders what has one of several members', async () => {
        const query: Query = { where: { teams: [5, 6] }, order: { field: 'rank', direction: 'desc' }, limit: 3 };
        expect(await keys(query)).toEqual(['1', '10', '4']);
        expect(await keys({ ...query, after: { value: 20, id: 4 } })).toEqual(['2']);
      });

      it('follows the fields when a document changes', async () => {
        await put({ 1: { name: 'b', rank: 5, teams: [7] } }, 2n);
        expect(await keys({ where: { teams: [5, 6] }, limit: 9 })).toEqual(['2', '4', '10']);
        expect(await keys({ where: { teams: 7 }, order: { field: 'rank', direction: 'asc' }, limit: 9 })).toEqual([
          '1',
          '4',
        ]);
        expect(await keys({ where: { name: 'b' }, order: { field: 'rank', direction: 'asc' }, limit: 9 })).toEqual([
          '1',
          '2',
        ]);
      });

      it('sorts text by code point', async () => {
        await put({ 20: { name: '\u{1F600}', live: true }, 21: { name: '\u{FF5E}', live: true } }, 2n);
        const query: Query = { where: { live: true }, order: { field: 'name', direction: 'asc' }, limit: 9 };
        expect(await keys(query)).toEqual(['1', '21', '20']);
      });

      it('answers several queries at once as one by one', async () => {
        const queries: Query[] = [
          { where: { teams: [5, 6] }, limit: 9 },
          { where: { name: 'a' }, limit: 2 },
          { where: { teams: [7, 6, 5] }, order: { field: 'rank', direction: 'desc' }, limit: 3 },
          { where: { name: 'nobody' }, limit: 9 },
          { where: { name: [] }, limit: 9 },
          { order: { field: 'rank', direction: 'asc' }, after: { value: null, id: 3 }, limit: 9 },
          ...[1, 2, 3, 4, 10].map(
            (rank): Query => ({ where: { name: ['b', null], teams: (rank % 3) + 5 }, limit: rank }),
          ),
        ];
        const expected = [];
        for (const query of queries) expected.push(await store.find('things', query));
        expect(await store.findEach('things', queries)).toEqual(expected);
        expect(expected.map((found) => found.length)).toEqual([4, 2, 3, 0, 0, 4, 0, 0, 2, 0, 0]);
        const search: Query = { contains: { field: 'label', text: 'york' }, limit: 9 };
        const [first, found] = await store.findEach('things', [queries[0]!, search]);
        expect([first, found]).toEqual([expected[0], await store.find('things', search)]);
        expect(await store.findEach('things', [])).toEqual([]);
        await expect(store.findEach('nope', queries)).rejects.toThrow(/no build/);
      });

      it.each<Query>([
        { where: { nope: 1 }, limit: 1 },
        { order: { field: 'teams', direction: 'asc' }, limit: 1 },
        { range: { field: 'toString', from: 1 }, limit: 1 },
        { contains: { field: 'name', text: 'a' }, limit: 1 },
      ])('rejects a field that cannot be used so: %j', async (query) => {
        await expect(store.find('things', query)).rejects.toThrow(/field/);
      });
    });

    it('scans a build by key as text, in pages', async () => {
      await store.prepare(things, 'v1');
      await put({ 10: {}, 9: {}, 'a-b': {}, 1: {} });
      const first = await store.scan('things', 'v1', null, 3);
      expect(first.map(({ key }) => key)).toEqual(['1', '10', '9']);
      expect((await store.scan('things', 'v1', '9', 3)).map(({ key }) => key)).toEqual(['a-b']);
    });
  });
}
