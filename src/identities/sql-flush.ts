import type { Kysely } from 'kysely';
import type { Steps } from '../sqlite/query-runner.ts';
import { type BatchReads, type Bound, type IdentityChanges, isSame } from './identity-changes.ts';
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
 * That a parked message's keys are looked at again, and that the waiting are looked at behind what became known, in
 * such transactions: so of one who parks and one who makes known, the second always sees the first.
 * @returns keys that other processes' messages wait for
 * @throws IdentityConflict
 */
export function* flushShared(
  db: Db,
  changes: IdentityChanges,
  reads: BatchReads,
  quarantine: SqlQuarantine,
): Steps<readonly string[]> {
  const parked = quarantine.parkedKeys().flatMap((text) => parseKey(text) ?? []);
  const refs = yield* changedRefs(db, changes, reads, parked);
  const conflicts: KnownKey[] = [
    ...refs.conflicts,
    ...(yield* changedOwners(db, changes, reads)),
    ...(yield* changedNames(db, changes, reads, parked)),
    ...(yield* changedPairs(db, changes, reads, parked)),
  ];
  const lost = yield* quarantine.lost();
  if (conflicts.length > 0 || lost.length > 0) throw new IdentityConflict(conflicts, lost);

  const taken = yield* bindWhereFree(db, changes, refs.free, refs.moved);
  if (taken.length > 0) throw new IdentityConflict(taken.map((row) => parseSourceRow(row)!));
  yield* writeNames(db, changes);
  yield* writeFixtures(db, changes);
  yield* writeSources(db, changes);
  yield* quarantine.write();
  return yield* quarantine.waitingElsewhere(keysOf(changes));
}

function* changedRefs(db: Db, changes: IdentityChanges, reads: BatchReads, parked: readonly KnownKey[]) {
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
  return [...owned.values()]
    .flat()
    .filter((row) => !changes.bound.has(row))
    .map((row) => parseSourceRow(row)!);
}

function* changedNames(db: Db, changes: IdentityChanges, reads: BatchReads, parked: readonly KnownKey[]) {
  const awaited = parked.flatMap((key) => (key.what === 'name' ? [nameRow(key)] : []));
  const rows = new Set([...changes.names.keys(), ...awaited.filter((row) => reads.names.has(row))]);
  const now = yield* readNames(db, [...rows]);
  const conflicts: KnownKey[] = [];
  for (const [row, ids] of now) {
    const known = new Set([...(reads.names.get(row) ?? []), ...(changes.names.get(row) ?? [])]);
    if (ids.some((id) => !known.has(id))) conflicts.push(parseNameRow(row)!);
  }
  return conflicts;
}

function* changedPairs(db: Db, changes: IdentityChanges, reads: BatchReads, parked: readonly KnownKey[]) {
  const awaited = parked.flatMap((key) => (key.what === 'pair' && reads.fixtures.has(key.pair) ? [key.pair] : []));
  const put = [...changes.fixtures.values()].flatMap(({ pair }) => pair ?? []);
  const now = yield* readFixtures(db, [...new Set([...put, ...awaited])]);
  const conflicts: KnownKey[] = [];
  for (const [pair, fixtures] of now) {
    const seen = new Map(reads.fixtures.get(pair)?.map(({ id, startsAt }) => [id, startsAt]));
    const isForeign = fixtures.some(({ id, startsAt }) => !changes.fixtures.has(id) && seen.get(id) !== startsAt);
    if (isForeign) conflicts.push({ what: 'pair', pair });
  }
  return conflicts;
}

/** What these changes make known: all of them, for a flush that is repeated has written them before. */
const keysOf = ({ bound, names, fixtures }: IdentityChanges): string[] => [
  ...new Set([
    ...[...bound.keys()].map((row) => keyText(parseSourceRow(row)!)),
    ...[...names.keys()].map((row) => keyText(parseNameRow(row)!)),
    ...[...fixtures.values()].flatMap(({ pair }) => (pair === null ? [] : [keyText({ what: 'pair', pair })])),
  ]),
];
