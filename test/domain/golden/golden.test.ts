import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { projections } from '../../../projections/index.ts';
import { toReceipt } from '../../../src/accounts/grading-receipts.ts';
import type { SlipGradedRecord } from '../../../src/domain/accounts/receipt-events.ts';
import { toPosition } from '../../../src/domain/event-sourcing/position.ts';
import type { Projection } from '../../../src/domain/event-sourcing/projection.ts';
import type { LogRecord } from '../../../src/domain/event-sourcing/record.ts';
import { leavesOfRecord } from '../../../src/domain/proof/leaves-of-record.ts';
import { type DaySealed, sealOf } from '../../../src/domain/proof/seal.ts';
import { CURRENT_VERSIONS } from '../../../src/domain/streams/domain-events.ts';
import { intelligenceStream } from '../../../src/domain/streams/stream-definitions.ts';
import { UPCASTERS, upcast } from '../../../src/domain/upcasters.ts';
import { SUBJECTS } from '../../../src/ingest/subjects/subjects.ts';
import { isRestated } from '../../../src/read-models/projector/folding/restated-documents.ts';

/**
 * A record of each type of domain event in each version that was ever written, as it is stored. These files never
 * change: data folders hold such records. All versions of a type say the same. Together they are a short history.
 */
const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.golden.json'));
const stored = new Map(files.map((file) => [file, read(file)]));

function read(file: string): LogRecord<string, any> {
  const record = JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as LogRecord;
  return { ...record, position: toPosition(String(record.position)) };
}
const fileOf = ({ type, version }: { type: string; version: number }) => `${type}.v${version}.golden.json`;

const versions = [...UPCASTERS].flatMap(([type, { current }]) =>
  Array.from({ length: current }, (_, index) => ({ type, version: index + 1 })),
);

it('has a file for each version of each type, and no other', () => {
  expect(files.sort()).toEqual(versions.map(fileOf).sort());
  for (const [file, record] of stored) expect(fileOf(record)).toBe(file);
});

describe.each(versions)('$type version $version', (one) => {
  it('is read as the current version', () => {
    const { current } = UPCASTERS.get(one.type)!;
    const record = upcast(stored.get(fileOf(one))!);
    expect(record.version).toBe(current);
    expect(record.data).toEqual(stored.get(fileOf({ type: one.type, version: current }))!.data);
  });

  it('changes a document or a state', () => {
    const history = historyOf(one);
    const place = history.findIndex(({ type }) => type === one.type);
    expect(foldsOf(history.slice(0, place + 1))).not.toEqual(foldsOf(history.slice(0, place)));
  });
});

/** The history in log order, with this version for its type, and the current version for all others. */
function historyOf({ type, version }: { type: string; version: number }): LogRecord[] {
  const chosen = [...UPCASTERS].map(([name, { current }]) => ({
    type: name,
    version: name === type ? version : current,
  }));
  return chosen.map((each) => upcast(stored.get(fileOf(each))!)).sort((a, b) => (a.position < b.position ? -1 : 1));
}

/** All documents, decider states, receipts, and staff actions after these records. */
function foldsOf(records: readonly LogRecord[]): unknown {
  const folds = new Map<string, unknown>();
  const fold = <Value>(name: string, change: (value: Value | undefined) => Value) =>
    folds.set(name, change(folds.get(name) as Value | undefined));
  for (const record of structuredClone(records)) {
    for (const projection of projections as readonly Projection[]) {
      const key = projection.types.includes(record.type) ? projection.key(record) : undefined;
      if (key === undefined) continue;
      fold(`${projection.name} ${key}`, (document) => projection.apply(document, structuredClone(record)));
    }
    if (record.type === 'SlipGraded') fold(record.stream, () => toReceipt(record as SlipGradedRecord));
    if (isRestated(record)) fold(`streams of ${record.meta.partition}`, () => record.data);
    const leaves = leavesOfRecord(record);
    if (leaves.length > 0) fold(`leaves of ${record.stream}`, () => leaves.map(({ hash }) => hash.toString('hex')));
    if (record.type === 'DaySealed') fold(record.stream, () => sealOf(record.data as DaySealed));
    if (record.type === 'ReferenceWeightsLearnt') fold(record.stream, () => record.data);
    if (record.type === 'StaffActed') fold<unknown[]>(record.stream, (acts = []) => [...acts, record.data]);
    for (const { decider } of SUBJECTS) {
      if (!Object.hasOwn(decider.stream.versions, record.type)) continue;
      fold(record.stream, (state) => decider.evolve(state ?? decider.initial(), record));
    }
  }
  return folds;
}

it('has every domain event in the streams of one subject, except those that the server publishes itself', () => {
  const told = SUBJECTS.flatMap(({ decider }) => Object.keys(decider.stream.versions));
  const types = [...told, ...Object.keys(intelligenceStream.versions)];
  expect(types.sort()).toEqual(Object.keys(CURRENT_VERSIONS).sort());
});
