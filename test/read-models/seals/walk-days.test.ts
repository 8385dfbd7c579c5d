import { expect, it } from 'vitest';
import { hashOfSeal } from '../../../src/domain/proof/seal.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import { createDaySealer } from '../../../src/forecasting/sealing/day-sealer.ts';
import { createSealReader } from '../../../src/read-models/seals/seal-reader.ts';
import { verifySealsOfLog } from '../../../src/read-models/seals/walk-days.ts';
import { DAY, DAY_1, sealedLog, threeDays } from '../../domain/proof/sealed-days.ts';

const signal = new AbortController().signal;

it('given a server that was off for days, when it seals, then each day has a seal that names the one before', async () => {
  const given = await threeDays();
  const seals = await given.seal();
  expect(seals.map(({ date }) => date)).toEqual(['2026-03-01', '2026-03-02', '2026-03-03']);
  expect(seals.map(({ previous }) => previous)).toEqual([null, hashOfSeal(seals[0]!), hashOfSeal(seals[1]!)]);
  expect(await given.seal()).toEqual([]);
  const reader = createSealReader(given.log);
  expect(await reader.newest()).toEqual(seals[2]);
  expect(await reader.ofDate('2026-03-02')).toEqual(seals[1]);
  expect(await reader.ofDate('2026-02-28')).toBeNull();
  expect(await reader.ofDate('2026-03-04')).toBeNull();
});

it('given the same facts, when they are sealed day by day or all at once, then the seals are the same', async () => {
  const atOnce = await threeDays();
  const seals = await atOnce.seal();
  const daily = sealedLog();
  const sealer = createDaySealer(daily.log);
  const now = Object.getOwnPropertyDescriptor(daily.clock, 'now')!.value as number;
  expect(now).toBe(DAY_1);
  await threeDays(daily);
  const byDay = [];
  for (let day = 1; day <= 3; day++) byDay.push(...(await sealer.sealDue(DAY_1 + day * DAY + 60_000, signal)));
  expect(byDay).toEqual(seals);
});

it('given a log that was copied record by record, when it is sealed and verified, then the roots are the same', async () => {
  const given = await threeDays();
  const seals = await given.seal();
  const clock = { now: 0 };
  const copy = createMemoryLog({ now: () => clock.now });
  for await (const page of given.log.readAllFrom(null)) {
    for (const { stream, revision, type, version, data, meta, recordedAt } of page) {
      clock.now = Date.parse(recordedAt);
      await copy.append(stream, [{ type, version, data, meta }], revision === 0 ? 'none' : revision - 1);
    }
  }
  expect(await verifySealsOfLog(copy, createSealReader(copy).all())).toMatchObject({ seals: 3, differences: [] });
  expect(await createSealReader(copy).newest()).toEqual(seals[2]);
});

it('given facts without a salt, when days end, then nothing is sealed before the first fact that has one', async () => {
  const given = sealedLog();
  await given.publish(1, 0.5, { isSealed: false });
  given.clock.now = DAY_1 + 2 * DAY;
  expect(await given.seal()).toEqual([]);
  await given.publish(1, 0.6);
  given.clock.now = DAY_1 + 3 * DAY + 60_000;
  expect((await given.seal()).map(({ date, leaves }) => [date, leaves])).toEqual([['2026-03-03', 1]]);
});

it('given a day that is not over, or over for less than ten seconds, then it is not sealed', async () => {
  const given = sealedLog();
  await given.publish(1, 0.5);
  for (const now of [DAY_1 + DAY - 1, DAY_1 + DAY, DAY_1 + DAY + 9_999]) {
    expect(await createDaySealer(given.log).sealDue(now, signal)).toEqual([]);
  }
  expect(await createDaySealer(given.log).sealDue(DAY_1 + DAY + 10_000, signal)).toHaveLength(1);
});

it('given a fact that was rewritten in the log, when the seals are verified, then its day is named', async () => {
  const given = await threeDays();
  await given.seal();
  const rewritten = new Proxy(given.log, {
    get(log, name) {
      const member = Reflect.get(log, name) as unknown;
      if (name !== 'readAllFrom' && name !== 'readSince')
        return typeof member === 'function' ? member.bind(log) : member;
      return async function* (...args: unknown[]) {
        for await (const page of (member as typeof log.readAllFrom).apply(log, args as never)) {
          yield page.map((record) => JSON.parse(JSON.stringify(record, toText).replace('-110', '-109'), toPosition));
        }
      };
    },
  });
  const found = await verifySealsOfLog(rewritten, createSealReader(given.log).all());
  expect(found.differences.map(({ date }) => date)).toEqual(['2026-03-03']);
});

const toText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}n` : value);
const toPosition = (_: string, value: unknown): unknown =>
  typeof value === 'string' && /^\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value;
