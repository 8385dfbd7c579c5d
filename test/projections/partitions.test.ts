import { readdirSync, readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projections } from '../../projections/index.ts';
import { ONE_PARTITION, partitionName } from '../../src/domain/event-sourcing/partition-of.ts';
import type { Projection } from '../../src/domain/event-sourcing/projection.ts';
import type { LogRecord, NewRecord } from '../../src/domain/event-sourcing/record.ts';
import { UPCASTERS, upcast } from '../../src/domain/upcasters.ts';
import { createMemoryLog } from '../../src/event-log/storage/memory-log.ts';
import { createPartitionedRunner } from '../../src/read-models/projector/partitioned/partitioned-runner.ts';
import { createMemoryStore } from '../../src/read-models/store/memory-store.ts';
import { contents, pureFold } from '../read-models/runner-kit.ts';
import { createFaultyFeed } from '../support/faulty/faulty-feed.ts';
import { createFaultyNetwork } from '../support/faulty/faulty-network.ts';
import { withServer } from '../system/properties/small-server.ts';
import { history, NOW } from '../system/properties/world.ts';

const PARTITIONS = 12;
const GOLDEN = new URL('../domain/golden/', import.meta.url);
const log = createMemoryLog({ now: () => NOW });
afterAll(() => log.close());

/** A record of each type in its current version: together a short history. */
function goldenRecords(): LogRecord[] {
  const read = (file: string) => upcast(JSON.parse(readFileSync(new URL(file, GOLDEN), 'utf8')) as LogRecord);
  const present = new Set([...UPCASTERS].map(([type, { current }]) => `${type}.v${current}.golden.json`));
  return (
    readdirSync(GOLDEN)
      // Only of the records of an act does it say something; `restated-documents.property.test.ts` has such.
      .filter((file) => present.has(file) && !/^(Event|Team|Player)Restated/.test(file))
      .map(read)
      .sort((a, b) => Number(a.position) - Number(b.position))
  );
}

/** The same history of another event, player and account, of the same teams. */
function otherwise({ stream, type, version, data, meta }: LogRecord, number: number) {
  const text = JSON.stringify({ stream, event: { type, version, data, meta } })
    .replaceAll(
      /"(event|odds|splits|box|lineup|intelligence|account|receipt|experiments|player)-(\d+)"/g,
      `"$1-$2${number}"`,
    )
    .replaceAll(/"(eventId|accountId|playerId)":(\d+)/g, `"$1":$2${number}`);
  return JSON.parse(text) as { stream: string; event: NewRecord };
}

/** Two finished games of the same teams, with statistics of the same players. */
function finishedGames(): Record<string, unknown>[] {
  const games = [1, 8].map((day) => ({
    ref: `over-${day}`,
    begin: `2026-11-0${day}T18:00:00Z`,
    end: `2026-11-0${day}T22:00:00Z`,
  }));
  return games.flatMap(({ ref, begin, end }) => {
    const said = { source: 'example', sport: 'nfl', league: 'nfl', ref, at: end };
    const sides = ['home', 'away'] as const;
    const participants = sides.map((role) => ({ role, name: `The ${role} team` }));
    const players = sides.map((role) => ({
      ref: `p-${role}`,
      name: `Player ${role}`,
      role,
      stats: { passing_yards: 300 },
    }));
    return [
      { ...said, kind: 'schedule', at: begin, starts_at: begin, participants },
      { ...said, kind: 'score', status: 'final', scores: sides.map((role) => ({ role, score: '20' })) },
      { ...said, kind: 'box', final: true, teams: { home: { total_yards: 400 }, away: { total_yards: 300 } }, players },
    ];
  });
}

const store = createMemoryStore();
beforeAll(async () => {
  // Feed records of some sports events with common teams and players.
  const messages = [...finishedGames(), ...fc.sample(history, { numRuns: 6, seed: 20 }).flat()];
  await withServer({ time: NOW }, async (server) => {
    await server.accept(messages);
    for (const { stream, type, version, data, meta } of await server.records()) {
      await log.append(stream, [{ type, version, data, meta }], 'any');
    }
  });
  for (let number = 1; number <= 5; number++) {
    for (const record of goldenRecords()) {
      const { stream, event } = otherwise(record, number);
      await log.append(stream, [event], 'any');
    }
  }
  await foldByTwo();
});

/** Two instances share the partitions. */
async function foldByTwo(): Promise<void> {
  const feed = createFaultyFeed(log, createFaultyNetwork(), PARTITIONS);
  const parts = { log, feed, store, projections, batchSize: 50, cacheDocuments: 20, now: () => NOW };
  const partition = (key: string) => partitionName(key, PARTITIONS);
  const both = [1, 2].map(() => createPartitionedRunner({ ...parts, partitionOf: partition }));
  for (const one of both) one.start();
  const ends = await feed.endPositions();
  for (const { name, needsWholeLog } of projections as readonly Projection[]) {
    for (const [partition, end] of needsWholeLog ? [[ONE_PARTITION, await log.head()] as const] : ends) {
      while ((await store.checkpoint(name, (await store.activeGeneration(name)) ?? '', partition)) !== end)
        await setImmediate();
    }
  }
  for (const one of both) await one.stop();
}

/** By document or table: the partitions of its records. */
async function feedersOf(projection: Projection): Promise<Map<string, Set<string>>> {
  const feeders = new Map<string, Set<string>>();
  const documents = new Map<string, unknown>();
  const note = (key: string, { meta }: LogRecord) =>
    feeders.set(key, (feeders.get(key) ?? new Set()).add(meta.partition));
  for (const record of await log.readAll(null, 1_000_000)) {
    const key = projection.types.includes(record.type) ? projection.key(record) : undefined;
    if (key === undefined) continue;
    note(key, record);
    const document = projection.apply(documents.get(key), record);
    documents.set(key, document);
    for (const [table] of projection.tables?.rowsOf(document, record.position) ?? []) note(table, record);
  }
  return feeders;
}

describe.each(projections.map((one) => [one.name, one as Projection] as const))('%s', (name, projection) => {
  it(
    projection.needsWholeLog ? 'gathers from several partitions, as it declares' : 'gathers from one each',
    async () => {
      const feeders = await feedersOf(projection);
      const crossing = [...feeders].filter(([, partitions]) => partitions.size > 1).map(([key]) => key);
      expect(feeders.size).toBeGreaterThan(0);
      if (projection.needsWholeLog) expect(crossing.length).toBeGreaterThan(0);
      else expect(crossing).toEqual([]);
    },
  );

  it('given two instances that share the partitions, then the documents equal those of one fold', async () => {
    expect(await contents(store, name)).toEqual(await pureFold(log, projection));
  });
});
