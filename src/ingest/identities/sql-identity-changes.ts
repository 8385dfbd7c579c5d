import { type Kysely, sql } from 'kysely';
import { rowsOf, type Steps } from '../../platform/sql/query-runner.ts';
import type { Fixture } from './identities.ts';
import type { Bound, IdentityChanges } from './identity-changes.ts';
import type { IdentityTables } from './identity-tables.ts';
import { pieces } from './pieces.ts';

type Db = Kysely<IdentityTables>;

// Rows are written in the order of their keys: two who write the same ones wait for each other, and never both.

/**
 * The queries that make changes durable, whatever stands there: for one whom nobody else writes beside.
 * @param now when refs are bound that were not, or to something else; milliseconds
 */
export function* writeChanges(db: Db, changes: IdentityChanges, now: number | null): Steps<void> {
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
    const { id, turned } = bound.get(key)!;
    return { key, id, turned: turned ? 1 : 0, owner: owners.get(key)!, bound_at: now };
  });

function* writeBound(db: Db, rows: readonly IdentityTables['external_ids'][]): Steps<void> {
  for (const piece of pieces(db, rows)) {
    yield db
      .insertInto('external_ids')
      .values(piece)
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({
          id: (eb) => eb.ref('excluded.id'),
          turned: (eb) => eb.ref('excluded.turned'),
          owner: (eb) => eb.ref('excluded.owner'),
          bound_at: sql`case when excluded.id = external_ids.id then external_ids.bound_at else excluded.bound_at end`,
        }),
      );
  }
}

/**
 * Binds what nothing is bound to, and moves what stands as said.
 * @param now as for `writeChanges`
 * @returns keys that another process was quicker with: those are not written
 */
export function* bindWhereFree(
  db: Db,
  changes: IdentityChanges,
  free: readonly string[],
  moved: ReadonlyMap<string, Bound>,
  now: number | null,
): Steps<string[]> {
  const lost: string[] = [];
  for (const piece of pieces(db, boundRows(changes, free, now))) {
    const written = yield* rowsOf(
      db
        .insertInto('external_ids')
        .values(piece)
        .onConflict((conflict) => conflict.column('key').doNothing())
        .returning('key'),
    );
    const keys = new Set(written.map(({ key }) => key));
    for (const { key } of piece) if (!keys.has(key)) lost.push(key);
  }
  for (const { key, bound_at, ...values } of boundRows(changes, [...moved.keys()], now)) {
    const from = moved.get(key)!;
    const written = yield* rowsOf(
      db
        .updateTable('external_ids')
        .set(from.id === values.id ? values : { ...values, bound_at })
        .where('key', '=', key)
        .where('id', '=', from.id)
        .where('turned', '=', from.turned ? 1 : 0)
        .returning('key'),
    );
    if (written.length === 0) lost.push(key);
  }
  return lost;
}

export function* writeNames(db: Db, { names }: IdentityChanges): Steps<void> {
  for (const piece of pieces(
    db,
    [...names].flatMap(([key, ids]) => ids.map((id) => ({ key, id }))),
  )) {
    yield db
      .insertInto('names')
      .values(piece)
      .onConflict((conflict) => conflict.columns(['key', 'id']).doNothing());
  }
}

export function* writeFixtures(db: Db, changes: IdentityChanges): Steps<void> {
  const fixtures = [...changes.fixtures].sort(byKey).map(([id, { pair, startsAt, sides }]) => ({
    id,
    pair,
    starts_at: startsAt,
    side_1: sides[0],
    side_2: sides[1],
  }));
  for (const piece of pieces(db, fixtures)) {
    yield db
      .insertInto('fixtures')
      .values(piece)
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

export function* writeSources(db: Db, { sources }: IdentityChanges): Steps<void> {
  for (const piece of pieces(
    db,
    [...sources].sort().map((source) => ({ source })),
  )) {
    yield db
      .insertInto('named_sources')
      .values(piece)
      .onConflict((conflict) => conflict.column('source').doNothing());
  }
}

/** What the database has for these keys; those that it has nothing for are left out, but for fixtures and names. */
export function* readBound(db: Db, keys: readonly string[]): Steps<Map<string, Bound>> {
  const found = new Map<string, Bound>();
  for (const piece of pieces(db, keys)) {
    const rows = yield* rowsOf(db.selectFrom('external_ids').select(['key', 'id', 'turned']).where('key', 'in', piece));
    for (const { key, id, turned } of rows) found.set(key, { id: Number(id), turned: turned === 1 });
  }
  return found;
}

/** Refs by their owners. */
export function* readOwned(db: Db, owners: readonly string[]): Steps<Map<string, string[]>> {
  const found = new Map<string, string[]>(owners.map((owner) => [owner, []]));
  for (const piece of pieces(db, owners)) {
    const rows = yield* rowsOf(db.selectFrom('external_ids').select(['key', 'owner']).where('owner', 'in', piece));
    for (const { key, owner } of rows) found.get(owner)!.push(key);
  }
  return found;
}

export function* readNames(db: Db, keys: readonly string[]): Steps<Map<string, number[]>> {
  const found = new Map<string, number[]>(keys.map((key) => [key, []]));
  for (const piece of pieces(db, keys)) {
    const rows = yield* rowsOf(db.selectFrom('names').selectAll().where('key', 'in', piece).orderBy('id'));
    for (const { key, id } of rows) found.get(key)!.push(Number(id));
  }
  return found;
}

export function* readFixtures(db: Db, pairs: readonly string[]): Steps<Map<string, Fixture[]>> {
  const found = new Map<string, Fixture[]>(pairs.map((pair) => [pair, []]));
  for (const piece of pieces(db, pairs)) {
    const rows = yield* rowsOf(db.selectFrom('fixtures').selectAll().where('pair', 'in', piece).orderBy('id'));
    for (const { id, pair, starts_at, side_1, side_2 } of rows) {
      found.get(pair!)!.push({ id: Number(id), startsAt: Number(starts_at), sides: [side_1, side_2] });
    }
  }
  return found;
}
