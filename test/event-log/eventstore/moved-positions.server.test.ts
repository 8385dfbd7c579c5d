import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toPosition } from '../../../src/domain/event-sourcing/position.ts';
import type { NewRecord } from '../../../src/domain/event-sourcing/record.ts';
import { UnavailableError } from '../../../src/domain/primitives/domain-errors.ts';
import { type EventStoreLog, openEventStoreLog } from '../../../src/event-log/eventstore/eventstore-log.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import { createPatience, MoveRefused, moveRecords } from '../../../src/server/cluster/moving/move-records.ts';
import { type StartedDouble, startDoubleProcess } from '../../server/engines/started-double.ts';
import { everything, scored } from '../port/event-log.contract.ts';

let double: StartedDouble;
beforeAll(async () => {
  double = await startDoubleProcess();
});
afterAll(() => double.stop());
beforeEach(() => double.forget());

const opened: EventStoreLog[] = [];
function open(): EventStoreLog {
  const log = openEventStoreLog({ url: double.url });
  opened.push(log);
  return log;
}
afterEach(async () => {
  for (const log of opened.splice(0)) await log.close();
});

const named = (id: string): NewRecord => ({ ...scored(1), meta: { partition: 'event-1', id } });

async function folder(records: number) {
  const log = createMemoryLog();
  for (let i = 0; i < records; i++) await log.append(`score-${i % 7}`, [named(`m${i}`)], 'any');
  return log;
}

const moveAll = async (from: Awaited<ReturnType<typeof folder>>, to: EventStoreLog) => {
  await moveRecords({ from, to, onProgress() {} });
  await to.endMove();
};

describe('records that are moved from another log', () => {
  it('are unchanged, with their positions, from any start and in every process', async () => {
    const from = await folder(40);
    await moveAll(from, open());
    const log = open();
    const own = await log.append('score-1', [named('own')], 'exists');
    const before = await everything(from);
    for (const to of [log, open()]) {
      const all = await everything(to);
      expect(all.slice(0, 40)).toEqual(before);
      expect(all.at(-1)).toMatchObject({ meta: { id: 'own' }, position: own.position });
      expect(await to.head()).toBe(own.position);
      for (const place of [0, 1, 17, 39, 40]) {
        const expected = [...before.slice(place, place + 3), all.at(-1)!].slice(0, 3);
        expect(await to.readAll(toPosition(BigInt(place)), 3)).toEqual(expected);
      }
      expect(await to.readBackwards(2, toPosition(17n))).toEqual([before[15], before[14]]);
      expect(await to.recordAt(toPosition(23n))).toEqual(before[22]);
      expect(await to.readAll(own.position, 3)).toEqual([]);
    }
  });

  it('continue after an interruption, come once, and keep others out until the last of them is stored', async () => {
    const from = await folder(30);
    const broken = new Error('killed');
    const first = open();
    const dying = moveRecords({
      from,
      onProgress() {},
      to: {
        ...first,
        async move(stream, records, expected) {
          if (records[0]!.position > 12n) throw broken;
          return first.move(stream, records, expected);
        },
      },
    });
    await expect(dying).rejects.toBe(broken);
    await expect(open().append('score-1', [named('own')], 'any')).rejects.toBeInstanceOf(UnavailableError);
    await Promise.all([1, 2].map(() => moveRecords({ from, to: open(), onProgress() {} })));
    await open().endMove();
    expect(await everything(open())).toEqual(await everything(from));
    await moveRecords({ from, to: open(), onProgress() {} });
    expect(await everything(open())).toHaveLength(30);
  });

  it('are refused if the log has other records', async () => {
    const from = await folder(5);
    await open().append('score-1', [named('own')], 'any');
    await expect(moveRecords({ from, to: open(), onProgress() {} })).rejects.toBeInstanceOf(MoveRefused);
    expect(await everything(open())).toHaveLength(1);
  });

  it('are left out if the folder has grown after the move, which is reported', async () => {
    const from = await folder(5);
    await moveAll(from, open());
    await open().append('score-1', [named('own')], 'any');
    await from.append('score-1', [named('later')], 'any');
    await expect(moveRecords({ from, to: open(), onProgress() {} })).rejects.toThrow(/left out/);
  });

  it('wait for an engine that is away', async () => {
    let tries = 0;
    const patient = createPatience(async () => {});
    const answer = await patient(async () => {
      if (++tries < 3) throw new UnavailableError('away');
      return 'there';
    });
    expect([answer, tries]).toEqual(['there', 3]);
  });
});
