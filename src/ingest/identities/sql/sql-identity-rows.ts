import { type Kysely, sql } from 'kysely';
import { compareByCodePoint } from '../../../domain/primitives/text-order.ts';
import { type QuerySteps, queryRows } from '../../../platform/sql/query-runner.ts';
import {
  type BoundEvent,
  type BoundRef,
  compareRefs,
  type EntityScope,
  type Fixture,
  type ScopedEntity,
} from '../identities.ts';
import type { IdentityChanges } from '../identity-changes.ts';
import {
  formatAliasRowKey,
  formatNameRowKey,
  formatOwnerKey,
  formatRefRowKey,
  parseRefRowKey,
  toRefKey,
} from '../identity-key.ts';
import type { IdentityTables } from './identity-tables.ts';
import { chunks } from './sql-chunks.ts';

type Db = Kysely<IdentityTables>;

// Rows are written in the order of their keys, so that two writers of the same rows cannot deadlock.

/**
 * The queries that make changes durable, for a sole writer: they overwrite existing rows.
 * @param now binding time of new and moved refs, in milliseconds
 */
export function* writeChanges(db: Db, changes: IdentityChanges, now: number | null): QuerySteps<void> {
  yield* writeBound(db, boundRows(changes, [...changes.bound.keys()], now));
  yield* writeNames(db, changes);
  yield* writeFixtures(db, changes);
  yield* writeSources(db, changes);
}

const byKey = <Key extends string | number>(
  [one]: readonly [Key, unknown],
  [other]: readonly [Key, unknown],
): number => (one < other ? -1 : one > other ? 1 : 0);

const boundRows = ({ bound, owners }: IdentityChanges, keys: readonly string[], now: number | null) =>
  [...keys].sort().map((key) => {
    const { id, swapped } = bound.get(key)!;
    return { key, id, swapped: swapped ? 1 : 0, owner: owners.get(key)!, bound_at: now };
  });

function* writeBound(db: Db, rows: readonly IdentityTables['external_ids'][]): QuerySteps<void> {
  for (const chunk of chunks(db, rows)) {
    yield db
      .insertInto('external_ids')
      .values(chunk)
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({
          id: (eb) => eb.ref('excluded.id'),
          swapped: (eb) => eb.ref('excluded.swapped'),
          owner: (eb) => eb.ref('excluded.owner'),
          bound_at: sql`case when excluded.id = external_ids.id then external_ids.bound_at else excluded.bound_at end`,
        }),
      );
  }
}

/**
 * Binds free refs, and moves refs that are bound as expected.
 * @param now see `writeChanges`
 * @returns keys that another process wrote first: they are not written
 */
export function* writeFreeOrMovedRefs(
  db: Db,
  changes: IdentityChanges,
  free: readonly string[],
  moved: ReadonlyMap<string, BoundEvent>,
  now: number | null,
): QuerySteps<string[]> {
  const lost: string[] = [];
  for (const chunk of chunks(db, boundRows(changes, free, now))) {
    const written = yield* queryRows(
      db
        .insertInto('external_ids')
        .values(chunk)
        .onConflict((conflict) => conflict.column('key').doNothing())
        .returning('key'),
    );
    const keys = new Set(written.map(({ key }) => key));
    for (const { key } of chunk) if (!keys.has(key)) lost.push(key);
  }
  for (const { key, bound_at, ...values } of boundRows(changes, [...moved.keys()], now)) {
    const from = moved.get(key)!;
    const written = yield* queryRows(
      db
        .updateTable('external_ids')
        .set(from.id === values.id ? values : { ...values, bound_at })
        .where('key', '=', key)
        .where('id', '=', from.id)
        .where('swapped', '=', from.swapped ? 1 : 0)
        .returning('key'),
    );
    if (written.length === 0) lost.push(key);
  }
  return lost;
}

export function* writeNames(db: Db, { names, removedNames }: IdentityChanges): QuerySteps<void> {
  for (const [key, ids] of [...removedNames].sort(byKey)) {
    if (ids.length > 0) yield db.deleteFrom('names').where('key', '=', key).where('id', 'in', ids);
  }
  for (const chunk of chunks(
    db,
    [...names].flatMap(([key, ids]) => ids.map((id) => ({ key, id }))),
  )) {
    yield db
      .insertInto('names')
      .values(chunk)
      .onConflict((conflict) => conflict.columns(['key', 'id']).doNothing());
  }
}

export function* writeFixtures(db: Db, changes: IdentityChanges): QuerySteps<void> {
  const fixtures = [...changes.fixtures].sort(byKey).map(([id, { pair, startsAt, sides }]) => ({
    id,
    pair,
    starts_at: startsAt,
    side_1: sides[0],
    side_2: sides[1],
  }));
  for (const chunk of chunks(db, fixtures)) {
    yield db
      .insertInto('fixtures')
      .values(chunk)
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet({
          pair: (eb) => eb.ref('excluded.pair'),
          starts_at: (eb) => eb.ref('excluded.starts_at'),
          side_1: (eb) => eb.ref('excluded.side_1'),
          side_2: (eb) => eb.ref('excluded.side_2'),
        }),
      );
  }
}

export function* writeSources(db: Db, { sources }: IdentityChanges): QuerySteps<void> {
  for (const chunk of chunks(
    db,
    [...sources].sort().map((source) => ({ source })),
  )) {
    yield db
      .insertInto('named_sources')
      .values(chunk)
      .onConflict((conflict) => conflict.column('source').doNothing());
  }
}

/**
 * The stored bindings of these keys. Missing keys are left out; the readers of names and fixtures below give empty
 * lists.
 */
export function* readBound(db: Db, keys: readonly string[]): QuerySteps<Map<string, BoundEvent>> {
  const found = new Map<string, BoundEvent>();
  for (const chunk of chunks(db, keys)) {
    const rows = yield* queryRows(
      db.selectFrom('external_ids').select(['key', 'id', 'swapped']).where('key', 'in', chunk),
    );
    for (const { key, id, swapped } of rows) found.set(key, { id: Number(id), swapped: swapped === 1 });
  }
  return found;
}

/** Row keys of refs by owner key. */
export function* readRefRowKeysByOwner(db: Db, owners: readonly string[]): QuerySteps<Map<string, string[]>> {
  const found = new Map<string, string[]>(owners.map((owner) => [owner, []]));
  for (const chunk of chunks(db, owners)) {
    const rows = yield* queryRows(db.selectFrom('external_ids').select(['key', 'owner']).where('owner', 'in', chunk));
    for (const { key, owner } of rows) found.get(owner)!.push(key);
  }
  return found;
}

export function* readNames(db: Db, keys: readonly string[]): QuerySteps<Map<string, number[]>> {
  const found = new Map<string, number[]>(keys.map((key) => [key, []]));
  for (const chunk of chunks(db, keys)) {
    const rows = yield* queryRows(db.selectFrom('names').selectAll().where('key', 'in', chunk).orderBy('id'));
    for (const { key, id } of rows) found.get(key)!.push(Number(id));
  }
  return found;
}

export function* readFixtures(db: Db, pairs: readonly string[]): QuerySteps<Map<string, Fixture[]>> {
  const found = new Map<string, Fixture[]>(pairs.map((pair) => [pair, []]));
  for (const chunk of chunks(db, pairs)) {
    const rows = yield* queryRows(db.selectFrom('fixtures').selectAll().where('pair', 'in', chunk).orderBy('id'));
    for (const { id, pair, starts_at, side_1, side_2 } of rows) {
      found.get(pair!)!.push({ id: Number(id), startsAt: Number(starts_at), sides: [side_1, side_2] });
    }
  }
  return found;
}

type RefsDb = Kysely<IdentityTables>;

/** The entities that a source names with this ref, in the order of `among`. */
export function* readEntitiesByRef(
  db: RefsDb,
  source: string,
  ref: string,
  among: readonly EntityScope[],
): QuerySteps<readonly ScopedEntity[]> {
  const rows = among.map(({ kind, scope }) => formatRefRowKey(toRefKey(kind, scope, source, ref)));
  const bound = yield* readBound(db, rows);
  return among.flatMap(({ kind, scope }, index) => {
    const found = bound.get(rows[index]!);
    return found ? [{ kind, scope, id: found.id }] : [];
  });
}

/** All refs of each of these entities, ordered by source, then by ref. */
export function* readRefs(db: RefsDb, entities: readonly ScopedEntity[]): QuerySteps<readonly (readonly BoundRef[])[]> {
  const sources = yield* queryRows(db.selectFrom('named_sources').select('source'));
  const refs: BoundRef[][] = entities.map(() => []);
  const indexes = new Map<string, number>();
  for (const [index, { kind, scope, id }] of entities.entries()) {
    for (const { source } of sources) indexes.set(formatOwnerKey(kind, scope, source, id), index);
  }
  for (const chunk of chunks(db, [...indexes.keys()])) {
    const rows = yield* queryRows(
      db.selectFrom('external_ids').select(['key', 'swapped', 'owner', 'bound_at']).where('owner', 'in', chunk),
    );
    for (const { key, swapped, owner, bound_at } of rows) {
      const { source, ref } = parseRefRowKey(key)!;
      const boundAt = bound_at === null ? null : Number(bound_at);
      refs[indexes.get(owner)!]!.push({ source, ref, swapped: swapped === 1, boundAt });
    }
  }
  return refs.map((all) => all.sort(compareRefs));
}

/** All names of each entity: rare, so the names of a kind and scope are read through. */
export function* readNamesOf(db: Db, entities: readonly ScopedEntity[]): QuerySteps<readonly (readonly string[])[]> {
  const names = entities.map((): string[] => []);
  for (const [index, { kind, scope, id }] of entities.entries()) {
    const found = new Set<string>();
    for (const prefix of [formatNameRowKey({ kind, scope, name: '' }), formatAliasRowKey({ kind, scope, name: '' })]) {
      const rows = yield* queryRows(
        db.selectFrom('names').select('key').where('key', 'like', `${prefix}%`).where('id', '=', id),
      );
      for (const { key } of rows) found.add(key.slice(prefix.length));
    }
    names[index] = [...found].sort(compareByCodePoint);
  }
  return names;
}
