import { describe, expect, it } from 'vitest';
import { createPositionTokens } from '../../../../src/api/calls/pipeline/position-tokens.ts';
import { partitionName } from '../../../../src/domain/event-sourcing/partition-of.ts';
import { type PartitionPositions, toPosition } from '../../../../src/domain/event-sourcing/position.ts';
import { UnavailableError } from '../../../../src/domain/primitives/domain-errors.ts';
import { createLogNameReader } from '../../../../src/event-log/port/log-name.ts';
import { createMemoryLog } from '../../../../src/event-log/storage/memory-log.ts';
import { scored } from '../../../event-log/port/event-log.contract.ts';

const PARTITIONS = 12;
const partitionOf = (key: string) => partitionName(key, PARTITIONS);
const partitions = new Set(Array.from({ length: PARTITIONS }, (_, number) => String(number)));

function open(parts: Partial<Parameters<typeof createPositionTokens>[0]> = {}) {
  const waited: PartitionPositions[] = [];
  const projected = async (places: PartitionPositions) => void waited.push(places);
  const log = { head: async () => toPosition(77n) };
  const logName = async () => '0123abcd';
  return { waited, positions: createPositionTokens({ log, logName, partitionOf, partitions, projected, ...parts }) };
}

describe('positions of a log that is divided', () => {
  it('have the later position of each partition, and can be waited for', async () => {
    const { waited, positions } = open();
    const places = new Map([
      ['event-1', 12n],
      ['event-2', 30n],
      ['event-3', 18_446_744_073_709_551_615n],
    ]);
    const told = await positions.issue(places);
    await positions.waitUntilProjected(told!);
    const expected = new Map([...places].map(([key, position]) => [partitionOf(key), position]));
    expect(waited).toEqual([expected]);
    const later = await positions.issue(new Map([['event-1', 99n]]));
    await positions.waitUntilProjected(`${later},${told}`);
    await positions.waitUntilProjected(`${told}, ${later}`);
    const joined = new Map([...expected, [partitionOf('event-1'), 99n]]);
    expect(waited.slice(1)).toEqual([joined, joined]);
  });

  it('of all partitions fit into 1 KiB', async () => {
    const keys = Array.from({ length: 500 }, (_, number) => [`event-${number}`, 2n ** 64n - 1n] as const);
    const told = await open().positions.issue(new Map(keys));
    expect(told!.split(',')).toHaveLength(PARTITIONS);
    expect(told!.length).toBeLessThanOrEqual(1024);
  });

  it('have the end of the whole log if nothing was appended, since another sender may have sent the same', async () => {
    const { waited, positions } = open();
    await positions.waitUntilProjected((await positions.issue(new Map()))!);
    await positions.waitUntilProjected((await positions.issue(undefined))!);
    expect(waited).toEqual([new Map([['log', 77n]]), new Map([['log', 77n]])]);
  });

  it('are left out if the log is unavailable: the messages were accepted', async () => {
    const away = async () => Promise.reject(new UnavailableError('the event log is away'));
    expect(await open({ logName: away }).positions.issue(new Map([['event-1', 1n]]))).toBeUndefined();
    expect(await open({ log: { head: away } }).positions.issue(undefined)).toBeUndefined();
    await expect(open({ logName: away }).positions.waitUntilProjected('0123abcd.1:2')).rejects.toBeInstanceOf(
      UnavailableError,
    );
  });
});

describe('the name of a log', () => {
  it('is that of its first record, and the same for everybody', async () => {
    const log = createMemoryLog({ now: () => 1000 });
    const name = createLogNameReader(log);
    expect(await name()).toBeUndefined();
    await log.append('score-1', [scored(1, 'event-1')], 'any');
    const first = await name();
    await log.append('score-1', [scored(2, 'event-1')], 'any');
    expect([await name(), await createLogNameReader(log)()]).toEqual([first, first]);
    const other = createMemoryLog({ now: () => 1001 });
    await other.append('score-1', [scored(1, 'event-1')], 'any');
    expect(await createLogNameReader(other)()).not.toBe(first);
  });
});
