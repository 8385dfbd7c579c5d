import { describe, expect, it } from 'vitest';
import { createLogPositions } from '../../../src/api/calls/log-positions.ts';
import { partitionName } from '../../../src/domain/partition-of.ts';
import { type Places, positionOf } from '../../../src/domain/position.ts';
import { Unavailable } from '../../../src/domain/unavailable.ts';
import { createLogName } from '../../../src/event-log/log-name.ts';
import { createMemoryLog } from '../../../src/event-log/memory-log.ts';
import { scored } from '../../event-log/event-log.contract.ts';

const PARTITIONS = 12;
const partitionOf = (key: string) => partitionName(key, PARTITIONS);
const partitions = new Set(Array.from({ length: PARTITIONS }, (_, number) => String(number)));

function open(parts: Partial<Parameters<typeof createLogPositions>[0]> = {}) {
  const waited: Places[] = [];
  const projected = async (places: Places) => void waited.push(places);
  const log = { head: async () => positionOf(77n) };
  const logName = async () => '0123abcd';
  return { waited, positions: createLogPositions({ log, logName, partitionOf, partitions, projected, ...parts }) };
}

describe('positions of a log that is divided', () => {
  it('tell of each partition the later one, and are waited for as they were told', async () => {
    const { waited, positions } = open();
    const places = new Map([
      ['event-1', 12n],
      ['event-2', 30n],
      ['event-3', 18_446_744_073_709_551_615n],
    ]);
    const told = await positions.tell(places);
    await positions.shown(told!);
    const expected = new Map([...places].map(([key, position]) => [partitionOf(key), position]));
    expect(waited).toEqual([expected]);
    const later = await positions.tell(new Map([['event-1', 99n]]));
    await positions.shown(`${later},${told}`);
    await positions.shown(`${told}, ${later}`);
    const joined = new Map([...expected, [partitionOf('event-1'), 99n]]);
    expect(waited.slice(1)).toEqual([joined, joined]);
  });

  it('of all partitions fit into 1 KiB', async () => {
    const keys = Array.from({ length: 500 }, (_, number) => [`event-${number}`, 2n ** 64n - 1n] as const);
    const told = await open().positions.tell(new Map(keys));
    expect(told!.split(',')).toHaveLength(PARTITIONS);
    expect(told!.length).toBeLessThanOrEqual(1024);
  });

  it('tell the end of the whole log where nothing was appended, for that may be another sender’s', async () => {
    const { waited, positions } = open();
    await positions.shown((await positions.tell(new Map()))!);
    await positions.shown((await positions.tell(undefined))!);
    expect(waited).toEqual([new Map([['log', 77n]]), new Map([['log', 77n]])]);
  });

  it('are left out where the log is away: what was taken was taken', async () => {
    const away = async () => Promise.reject(new Unavailable('the event log is away'));
    expect(await open({ logName: away }).positions.tell(new Map([['event-1', 1n]]))).toBeUndefined();
    expect(await open({ log: { head: away } }).positions.tell(undefined)).toBeUndefined();
    await expect(open({ logName: away }).positions.shown('0123abcd.1:2')).rejects.toBeInstanceOf(Unavailable);
  });
});

describe('the name of a log', () => {
  it('is that of its first record, and the same for everybody', async () => {
    const log = createMemoryLog({ now: () => 1000 });
    const name = createLogName(log);
    expect(await name()).toBeUndefined();
    await log.append('score-1', [scored(1, 'event-1')], 'any');
    const first = await name();
    await log.append('score-1', [scored(2, 'event-1')], 'any');
    expect([await name(), await createLogName(log)()]).toEqual([first, first]);
    const other = createMemoryLog({ now: () => 1001 });
    await other.append('score-1', [scored(1, 'event-1')], 'any');
    expect(await createLogName(other)()).not.toBe(first);
  });
});
