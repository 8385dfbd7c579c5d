import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createLeafByRecord } from '../../../src/accounts/seal-keys/leaf-by-record.ts';
import { saltOfKey } from '../../../src/accounts/seal-keys/salt-of-key.ts';
import type { LogRecord } from '../../../src/domain/event-sourcing/record.ts';
import {
  createExperimentEvent,
  type ExperimentDefinition,
  type ExperimentPosted,
  experimentStream,
  experimentsStream,
} from '../../../src/domain/experiments/experiment-events.ts';
import { checkSeals } from '../../../src/domain/proof/check-seals.ts';
import { experimentLeaf, hashOfExperiment } from '../../../src/domain/proof/experiment-leaf.ts';
import { hashOfSeal, SEAL_STREAM } from '../../../src/domain/proof/seal.ts';
import { type SealFile, sealFileText } from '../../../src/domain/proof/seal-file.ts';
import { hashOfLeaf } from '../../../src/domain/proof/sealed-leaf.ts';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import { createDaySealer } from '../../../src/forecasting/sealing/day-sealer.ts';
import { createSealReader } from '../../../src/read-models/seals/seal-reader.ts';
import { leavesOfDay, verifySealsOfLog } from '../../../src/read-models/seals/walk-days.ts';
import { cases } from '../../support/cases.ts';

/**
 * Somebody has the folder, so the log, the seals and the key of the account, and would like an experiment to have been
 * another one. Readers kept the seal of its day.
 */

const DAY = 86_400_000;
const DAY_1 = Date.parse('2026-03-01T12:00:00Z');
const KEY = 'ab'.repeat(32);
const ids = [0, 1, 2].map((n) => `ex_${n}_${'A'.repeat(22)}`);

const definition: ExperimentDefinition = {
  name: 'Strong edges',
  policy: { min_edge: 0.04 },
  cohort: { league: 'nba' },
  from: '2026-03-01T13:00:00Z',
  to: '2026-03-01T20:00:00Z',
  gates: { min_n: 30, clv_above: 0 },
  seed: 7,
};

/** As it is posted: the forger has the key, so hash and leaf agree with whatever he writes. */
function posted(id: string, said: ExperimentDefinition): ExperimentPosted {
  const at = '2026-03-01T12:00:00Z';
  const hash = hashOfExperiment(said);
  const leaf = hashOfLeaf(saltOfKey(KEY, id), experimentLeaf({ id, hash, posted_at: at, ...said })).toString('hex');
  return { id, accountId: 1, at, definition: said, hash, sports: null, run: null, leaf };
}

async function sealDue(log: EventLog, now: number): Promise<void> {
  await createDaySealer(log).sealDue(now, new AbortController().signal);
}

/** Three experiments are posted on the first day, and one ends on the second; both days are sealed. */
async function originalLog(): Promise<EventLog> {
  const clock = { now: DAY_1 };
  const log = createMemoryLog({ now: () => clock.now });
  for (const [n, id] of ids.entries()) {
    const event = createExperimentEvent('ExperimentPosted', posted(id, { ...definition, seed: n }));
    await log.append(experimentsStream(1), [event], n === 0 ? 'none' : n - 1);
  }
  clock.now += DAY;
  const ended = { id: ids[1]!, accountId: 1, at: '2026-03-02T12:00:00Z', salt: '0f'.repeat(16) };
  await log.append(experimentStream(ids[1]!), [createExperimentEvent('ExperimentEnded', ended)], 'none');
  clock.now += DAY;
  await sealDue(log, clock.now);
  return log;
}

async function recordsOf(log: EventLog): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  for await (const page of log.readAllFrom(null)) records.push(...page);
  return records;
}

type Forge = (record: LogRecord) => LogRecord | undefined;

/** The log as the forger writes it. @param keepsSeals else the days are sealed anew, from the first on */
async function forgedLog(original: EventLog, forge: Forge, keepsSeals: boolean): Promise<EventLog> {
  const clock = { now: DAY_1 };
  const log = createMemoryLog({ now: () => clock.now });
  for (const record of await recordsOf(original)) {
    const forged = record.stream === SEAL_STREAM ? (keepsSeals ? record : undefined) : forge(record);
    if (!forged) continue;
    clock.now = Date.parse(record.recordedAt);
    const { type, version, data, meta, stream } = forged;
    await log.append(stream, [{ type, version, data, meta } as never], 'any');
  }
  if (!keepsSeals) await sealDue(log, DAY_1 + 2 * DAY);
  return log;
}

/** The file of a day, as readers get it. */
async function fileOf(log: EventLog, date: string): Promise<SealFile> {
  const seals = createSealReader(log);
  const seal = (await seals.ofDate(date))!;
  let before = null;
  for await (const one of seals.all()) if (one.date < date) before = one;
  const pieces: string[] = [];
  for await (const piece of sealFileText(seal, leavesOfDay(log, seal, before))) pieces.push(String(piece));
  return JSON.parse(pieces.join(''));
}

const otherDefinition = fc.constantFrom<Partial<ExperimentDefinition>>(
  { name: 'Weak edges' },
  { policy: { min_edge: 0.03 } },
  { cohort: { league: 'nba', market: 'totals' } },
  { from: '2026-03-01T14:00:00Z' },
  { to: '2026-03-01T19:00:00Z' },
  { gates: { min_n: 29, clv_above: 0 } },
  { gates: { min_n: 30, clv_above: -0.01 } },
  { seed: 8 },
);
const forgery: fc.Arbitrary<Forge> = fc.oneof(
  // Another definition, under a hash and a leaf that agree with it.
  fc.tuple(fc.constantFrom(...ids), otherDefinition).map(
    ([id, more]): Forge =>
      (record) => {
        if (record.type !== 'ExperimentPosted' || (record.data as ExperimentPosted).id !== id) return record;
        return { ...record, data: posted(id, { ...(record.data as ExperimentPosted).definition, ...more }) };
      },
  ),
  // One that failed is left out, as if it had never been.
  fc.constantFrom(...ids).map(
    (id): Forge =>
      (record) =>
        (record.data as Partial<ExperimentPosted>).id === id ? undefined : record,
  ),
  // It was never ended early, or sooner.
  fc.constantFrom<Forge>(
    (record) => (record.type === 'ExperimentEnded' ? undefined : record),
    (record) =>
      record.type === 'ExperimentEnded'
        ? { ...record, data: { ...(record.data as object), at: '2026-03-02T11:00:00Z' } }
        : record,
  ),
);

/** Another definition, under the leaf of the one that was posted. */
const underOldLeaf: fc.Arbitrary<Forge> = fc.tuple(fc.constantFrom(...ids), otherDefinition, fc.boolean()).map(
  ([id, more, hasOwnHash]): Forge =>
    (record) => {
      const data = record.data as ExperimentPosted;
      if (record.type !== 'ExperimentPosted' || data.id !== id) return record;
      const said = { ...data.definition, ...more };
      return { ...record, data: { ...data, definition: said, ...(hasOwnHash && { hash: hashOfExperiment(said) }) } };
    },
);

const differencesOf = async (log: EventLog) =>
  (await verifySealsOfLog(log, createSealReader(log).all(), createLeafByRecord({ find: async () => KEY }))).differences;

it('given seals that stay, when an experiment is rewritten, left out or ended otherwise, then the log is found to be changed', async () => {
  const original = await originalLog();
  expect(await differencesOf(original)).toEqual([]);
  await fc.assert(
    fc.asyncProperty(fc.oneof(forgery, underOldLeaf), async (forge) => {
      const forged = await forgedLog(original, forge, true);
      expect((await differencesOf(forged)).length).toBeGreaterThan(0);
    }),
    { numRuns: cases(100) },
  );
});

it('given days that are sealed anew too, then the seal that somebody kept is another one than that of the file', async () => {
  const original = await originalLog();
  const kept = (await createSealReader(original).newest())!;
  const keptDocument = { name: 'kept', value: { ...kept, hash: hashOfSeal(kept) } };
  const faultsOf = async (log: EventLog) =>
    checkSeals([{ name: 'file', value: await fileOf(log, kept.date) }, keptDocument]).faults.length;
  expect(await faultsOf(original)).toBe(0);
  await fc.assert(
    fc.asyncProperty(forgery, async (forge) => {
      const forged = await forgedLog(original, forge, false);
      // Within itself the folder agrees.
      expect(await differencesOf(forged)).toEqual([]);
      expect(await faultsOf(forged)).toBeGreaterThan(0);
    }),
    { numRuns: cases(100) },
  );
});
