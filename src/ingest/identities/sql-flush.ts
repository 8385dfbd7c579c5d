import type { Kysely } from 'kysely';
import { type Steps, together } from '../../platform/sql/query-runner.ts';
import type { Fixture } from './identities.ts';
import {
  type BatchReads,
  type Bound,
  hasForeign,
  type IdentityChanges,
  isSame,
  placesOn,
  placeText,
  rowsOfOwner,
} from './identity-changes.ts';
import { IdentityConflict } from './identity-conflict.ts';
import type { IdentityTables } from './identity-tables.ts';
import { type KnownKey, keyText, nameRow, parseKey, parseNameRow, parseSourceRow, sourceRow } from './known-key.ts';
import {
  bindWhereFree,
  readBound,
  readFixtures,
  readNames,
  readOwned,
  writeFixtures,
  writeNames,
  writeSources,
} from './sql-identity-changes.ts';
import type { SqlQuarantine } from './sql-quarantine.ts';

type Db = Kysely<IdentityTables>;

/**
 * Writes a batch's changes where others write too: only if what they rest on stands as the batch has read it. It must
 * run in a transaction in which nobody else changes these tables (SQLite's write lock; elsewhere a serializable one).
 * What parked messages wait for is looked at too: had it become known meanwhile, they would wait for ever.
 * @param now as for `writeChanges`
 * @throws IdentityConflict
 */
export function* flushShared(
  db: Db,
  changes: IdentityChanges,
  reads: BatchReads,
  quarantine: SqlQuarantine,
  now: number | null,
): Steps<void> {
  const parked = quarantine.parkedKeys().flatMap((text) => parseKey(text) ?? []);
  const [refs, owners, names, pairs, lost] = yield* together(
    changedRefs(db, changes, reads, parked),
    changedOwners(db, changes, reads),
    changedNames(db, changes, reads, parked),
    changedPairs(db, changes, reads, parked),
    quarantine.lost(),
  );
  const conflicts: KnownKey[] = [...refs.conflicts, ...owners, ...names, ...pairs];
  if (conflicts.length > 0 || lost.length > 0) throw new IdentityConflict(conflicts, lost);

  const [taken] = yield* together(
    bindWhereFree(db, changes, refs.free, refs.moved, now),
    writeNames(db, changes),
    writeFixtures(db, changes),
    writeSources(db, changes),
    quarantine.write(),
  );
  if (taken.length > 0) throw new IdentityConflict(taken.map((row) => parseSourceRow(row)!));
}

type Refs = { free: readonly string[]; moved: ReadonlyMap<string, Bound>; conflicts: readonly KnownKey[] };

function* changedRefs(db: Db, changes: IdentityChanges, reads: BatchReads, parked: readonly KnownKey[]): Steps<Refs> {
  const awaited = parked.flatMap((key) => (key.what === 'event' || key.what === 'ref' ? [sourceRow(key)] : []));
  const rows = new Set([...changes.bound.keys(), ...awaited.filter((row) => reads.bound.has(row))]);
  const now = yield* readBound(db, [...rows]);
  const free: string[] = [];
  const moved = new Map<string, Bound>();
  const conflicts: KnownKey[] = [];
  for (const row of rows) {
    const [stands, seen, wanted] = [now.get(row), reads.bound.get(row), changes.bound.get(row)];
    // It stands there when the answer of a flush was lost.
    if (wanted && isSame(stands, wanted)) continue;
    if (!isSame(stands, seen)) conflicts.push(parseSourceRow(row)!);
    else if (wanted && stands) moved.set(row, stands);
    else if (wanted) free.push(row);
  }
  return { free, moved, conflicts };
}

/** A source has one ref for one thing: it was given another one in between. */
function* changedOwners(db: Db, changes: IdentityChanges, reads: BatchReads): Steps<KnownKey[]> {
  const owners = new Set([...changes.owners.values()].filter((owner) => reads.owners.get(owner) === false));
  const owned = yield* readOwned(db, [...owners]);
  return [...owned]
    .filter(([owner, rows]) => hasForeign(rows, [], rowsOfOwner(owner, changes)))
    .flatMap(([, rows]) => rows.map((row) => parseSourceRow(row)!));
}

function* changedNames(
  db: Db,
  changes: IdentityChanges,
  reads: BatchReads,
  parked: readonly KnownKey[],
): Steps<KnownKey[]> {
  const awaited = parked.flatMap((key) => (key.what === 'name' ? [nameRow(key)] : []));
  const rows = new Set([...changes.names.keys(), ...awaited.filter((row) => reads.names.has(row))]);
  const now = yield* readNames(db, [...rows]);
  const conflicts: KnownKey[] = [];
  for (const [row, ids] of now) {
    const [seen, own] = [reads.names.get(row) ?? [], changes.names.get(row) ?? []];
    if (hasForeign(ids, seen, own)) conflicts.push(parseNameRow(row)!);
  }
  return conflicts;
}

function* changedPairs(
  db: Db,
  changes: IdentityChanges,
  reads: BatchReads,
  parked: readonly KnownKey[],
): Steps<KnownKey[]> {
  const awaited = parked.flatMap((key) => (key.what === 'pair' && reads.fixtures.has(key.pair) ? [key.pair] : []));
  const put = [...changes.fixtures.values()].flatMap(({ pair }) => pair ?? []);
  const now = yield* readFixtures(db, [...new Set([...put, ...awaited])]);
  const conflicts: KnownKey[] = [];
  for (const [pair, fixtures] of now) {
    const seen = placesOf(reads.fixtures.get(pair) ?? []);
    if (hasForeign(placesOf(fixtures), seen, placesOn(pair, changes))) conflicts.push({ what: 'pair', pair });
  }
  return conflicts;
}

const placesOf = (fixtures: readonly Fixture[]): string[] =>
  fixtures.map(({ id, startsAt }) => placeText(id, startsAt));

/** What changes make known. */
export const keysOfChanges = ({ bound, names, fixtures }: IdentityChanges): string[] => [
  ...new Set([
    ...[...bound.keys()].map((row) => keyText(parseSourceRow(row)!)),
    ...[...names.keys()].map((row) => keyText(parseNameRow(row)!)),
    ...[...fixtures.values()].flatMap(({ pair }) => (pair === null ? [] : [keyText({ what: 'pair', pair })])),
  ]),
];
