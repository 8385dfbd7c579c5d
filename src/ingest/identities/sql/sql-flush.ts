import type { Kysely } from 'kysely';
import { type QuerySteps, runStepsTogether } from '../../../platform/sql/query-runner.ts';
import type { BoundEvent, Fixture } from '../identities.ts';
import { IdentityConflict } from '../identities.ts';
import {
  type BatchReads,
  fixtureText,
  fixtureTextsOn,
  hasForeignAdditions,
  type IdentityChanges,
  isSameBinding,
  refRowKeysOfOwner,
} from '../identity-changes.ts';
import {
  formatAliasRowKey,
  formatIdentityKey,
  formatNameRowKey,
  formatRefRowKey,
  type IdentityKey,
  parseIdentityKey,
  parseNameRowKey,
  parseRefRowKey,
} from '../identity-key.ts';
import type { IdentityTables } from './identity-tables.ts';
import {
  readBound,
  readFixtures,
  readNames,
  readRefRowKeysByOwner,
  writeFixtures,
  writeFreeOrMovedRefs,
  writeNames,
  writeSources,
} from './sql-identity-rows.ts';
import type { SqlQuarantine } from './sql-quarantine.ts';

type Db = Kysely<IdentityTables>;

/**
 * Writes the changes of a batch beside other writers, only if the rows that the changes depend on are as the batch has
 * read them. It must run in a transaction in which nobody else changes these tables (the write lock of SQLite;
 * elsewhere a serializable transaction). It also checks the keys of newly quarantined messages: if a key became known
 * meanwhile, its messages would wait for ever.
 * @param now see `writeChanges`
 * @throws IdentityConflict
 */
export function* flushUnlessConflict(
  db: Db,
  changes: IdentityChanges,
  reads: BatchReads,
  quarantine: SqlQuarantine,
  now: number | null,
): QuerySteps<void> {
  const quarantinedKeys = quarantine.stagedKeys().flatMap((text) => parseIdentityKey(text) ?? []);
  const [refs, owners, names, pairs, lost] = yield* runStepsTogether(
    changedRefs(db, changes, reads, quarantinedKeys),
    changedOwners(db, changes, reads),
    changedNames(db, changes, reads, quarantinedKeys),
    changedPairs(db, changes, reads, quarantinedKeys),
    quarantine.findLostClaimsSteps(),
  );
  const conflicts: IdentityKey[] = [...refs.conflicts, ...owners, ...names, ...pairs];
  if (conflicts.length > 0 || lost.length > 0) throw new IdentityConflict(conflicts, lost);

  const [lostRows] = yield* runStepsTogether(
    writeFreeOrMovedRefs(db, changes, refs.free, refs.moved, now),
    writeNames(db, changes),
    writeFixtures(db, changes),
    writeSources(db, changes),
    quarantine.writeSteps(),
  );
  if (lostRows.length > 0) throw new IdentityConflict(lostRows.map((row) => parseRefRowKey(row)!));
}

type Refs = { free: readonly string[]; moved: ReadonlyMap<string, BoundEvent>; conflicts: readonly IdentityKey[] };

function* changedRefs(
  db: Db,
  changes: IdentityChanges,
  reads: BatchReads,
  quarantinedKeys: readonly IdentityKey[],
): QuerySteps<Refs> {
  const waitedFor = quarantinedKeys.flatMap((key) =>
    key.what === 'event' || key.what === 'ref' ? [formatRefRowKey(key)] : [],
  );
  const rows = new Set([...changes.bound.keys(), ...waitedFor.filter((row) => reads.bound.has(row))]);
  const now = yield* readBound(db, [...rows]);
  const free: string[] = [];
  const moved = new Map<string, BoundEvent>();
  const conflicts: IdentityKey[] = [];
  for (const row of rows) {
    const [stored, readBefore, wanted] = [now.get(row), reads.bound.get(row), changes.bound.get(row)];
    // Already written by a flush whose answer was lost.
    if (wanted && isSameBinding(stored, wanted)) continue;
    if (!isSameBinding(stored, readBefore)) conflicts.push(parseRefRowKey(row)!);
    else if (wanted && stored) moved.set(row, stored);
    else if (wanted) free.push(row);
  }
  return { free, moved, conflicts };
}

/** Refs that another process gave to the same entity of the same source: a source has one ref for one entity. */
function* changedOwners(db: Db, changes: IdentityChanges, reads: BatchReads): QuerySteps<IdentityKey[]> {
  const owners = new Set([...changes.owners.values()].filter((owner) => reads.owners.get(owner) === false));
  const owned = yield* readRefRowKeysByOwner(db, [...owners]);
  return [...owned]
    .filter(([owner, rows]) => hasForeignAdditions(rows, [], refRowKeysOfOwner(owner, changes)))
    .flatMap(([, rows]) => rows.map((row) => parseRefRowKey(row)!));
}

function* changedNames(
  db: Db,
  changes: IdentityChanges,
  reads: BatchReads,
  quarantinedKeys: readonly IdentityKey[],
): QuerySteps<IdentityKey[]> {
  const waitedFor = quarantinedKeys.flatMap((key) =>
    key.what === 'name' ? [formatNameRowKey(key), formatAliasRowKey(key)] : [],
  );
  const rows = new Set([...changes.names.keys(), ...waitedFor.filter((row) => reads.names.has(row))]);
  const now = yield* readNames(db, [...rows]);
  const conflicts: IdentityKey[] = [];
  for (const [row, ids] of now) {
    const [readBefore, own] = [reads.names.get(row) ?? [], changes.names.get(row) ?? []];
    if (hasForeignAdditions(ids, readBefore, own)) conflicts.push(parseNameRowKey(row)!);
  }
  return conflicts;
}

function* changedPairs(
  db: Db,
  changes: IdentityChanges,
  reads: BatchReads,
  quarantinedKeys: readonly IdentityKey[],
): QuerySteps<IdentityKey[]> {
  const waitedFor = quarantinedKeys.flatMap((key) =>
    key.what === 'pair' && reads.fixtures.has(key.pair) ? [key.pair] : [],
  );
  const put = [...changes.fixtures.values()].flatMap(({ pair }) => pair ?? []);
  const now = yield* readFixtures(db, [...new Set([...put, ...waitedFor])]);
  const conflicts: IdentityKey[] = [];
  for (const [pair, fixtures] of now) {
    const readBefore = fixtureTexts(reads.fixtures.get(pair) ?? []);
    if (hasForeignAdditions(fixtureTexts(fixtures), readBefore, fixtureTextsOn(pair, changes)))
      conflicts.push({ what: 'pair', pair });
  }
  return conflicts;
}

const fixtureTexts = (fixtures: readonly Fixture[]): string[] =>
  fixtures.map(({ id, startsAt }) => fixtureText(id, startsAt));

/** The keys that the changes make known. */
export const keysOfChanges = ({ bound, names, fixtures }: IdentityChanges): string[] => [
  ...new Set([
    ...[...bound.keys()].map((row) => formatIdentityKey(parseRefRowKey(row)!)),
    ...[...names.keys()].map((row) => formatIdentityKey(parseNameRowKey(row)!)),
    ...[...fixtures.values()].flatMap(({ pair }) => (pair === null ? [] : [formatIdentityKey({ what: 'pair', pair })])),
  ]),
];
