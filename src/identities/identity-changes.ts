import type { Kysely } from 'kysely';
import type { EntityKind, SidedFixture, WaitingMessage } from './identities.ts';
import type { IdentityTables } from './identity-tables.ts';

export interface Bound {
  readonly id: number;
  readonly turned: boolean;
}

/** Changes of the identities that are not in the database yet. */
export interface IdentityChanges {
  readonly counters: Set<EntityKind>;
  readonly bound: Map<string, Bound>;
  readonly owners: Map<string, string>;
  readonly names: Map<string, readonly number[]>;
  readonly fixtures: Map<number, SidedFixture>;
  readonly parked: Map<string, WaitingMessage>;
  /** Taken out of the waiting; they are removed only when what became of them is in the log. */
  readonly taken: Set<string>;
}

export const emptyChanges = (): IdentityChanges => ({
  counters: new Set(),
  bound: new Map(),
  owners: new Map(),
  names: new Map(),
  fixtures: new Map(),
  parked: new Map(),
  taken: new Set(),
});

type Query = { compile(): any };
type Db = Kysely<IdentityTables>;

/** Sizes of the pieces in which rows are written and keys are looked up: few, so that statements are prepared once. */
const PIECES = [256, 32, 4, 1];
export function* chunks<T>(items: readonly T[]): Generator<T[]> {
  let start = 0;
  for (const size of PIECES) {
    for (; items.length - start >= size; start += size) yield items.slice(start, start + size);
  }
}

/** The queries that make changes durable; those of `taken` are left out. */
export function changesOf(db: Db, changes: IdentityChanges, nextOf: (kind: EntityKind) => number): Query[] {
  const queries: Query[] = [];
  for (const kind of changes.counters) {
    queries.push(
      db
        .insertInto('id_counters')
        .values({ kind, next: nextOf(kind) })
        .onConflict((conflict) => conflict.column('kind').doUpdateSet({ next: (eb) => eb.ref('excluded.next') })),
    );
  }
  const bound = [...changes.bound].map(([key, { id, turned }]) => ({
    key,
    id,
    turned: turned ? 1 : 0,
    owner: changes.owners.get(key)!,
  }));
  for (const chunk of chunks(bound)) {
    queries.push(
      db
        .insertInto('external_ids')
        .values(chunk)
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet({
            id: (eb) => eb.ref('excluded.id'),
            turned: (eb) => eb.ref('excluded.turned'),
            owner: (eb) => eb.ref('excluded.owner'),
          }),
        ),
    );
  }
  const names = [...changes.names].flatMap(([key, ids]) => ids.map((id) => ({ key, id })));
  for (const chunk of chunks(names)) {
    queries.push(
      db
        .insertInto('names')
        .values(chunk)
        .onConflict((conflict) => conflict.columns(['key', 'id']).doNothing()),
    );
  }
  queries.push(...fixtureQueries(db, changes.fixtures), ...waitingQueries(db, changes.parked));
  return queries;
}

function fixtureQueries(db: Db, changed: IdentityChanges['fixtures']): Query[] {
  const fixtures = [...changed].map(([id, { pair, startsAt, sides }]) => ({
    id,
    pair,
    starts_at: startsAt,
    side_1: sides[0],
    side_2: sides[1],
  }));
  return [...chunks(fixtures)].map((chunk) =>
    db
      .insertInto('fixtures')
      .values(chunk)
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet({
          pair: (eb) => eb.ref('excluded.pair'),
          starts_at: (eb) => eb.ref('excluded.starts_at'),
          side_1: (eb) => eb.ref('excluded.side_1'),
          side_2: (eb) => eb.ref('excluded.side_2'),
        }),
      ),
  );
}

function waitingQueries(db: Db, parked: IdentityChanges['parked']): Query[] {
  // One that waits again may wait for something else now.
  const queries = forgetWaiting(db, [...parked.keys()]);
  for (const chunk of chunks([...parked.values()]))
    queries.push(db.insertInto('waiting').values(chunk.map(writeWaiting)));
  const keys = [...parked.values()].flatMap(({ fingerprint, keys: awaited }) =>
    awaited.map((key) => ({ key, fingerprint })),
  );
  for (const chunk of chunks(keys)) queries.push(db.insertInto('waiting_keys').values(chunk));
  return queries;
}

export const forgetWaiting = (db: Db, fingerprints: readonly string[]): Query[] =>
  [...chunks(fingerprints)].flatMap((chunk) => [
    db.deleteFrom('waiting').where('fingerprint', 'in', chunk),
    db.deleteFrom('waiting_keys').where('fingerprint', 'in', chunk),
  ]);

const writeWaiting = (waiting: WaitingMessage): IdentityTables['waiting'] => ({
  fingerprint: waiting.fingerprint,
  message: JSON.stringify(waiting.message),
  reason: waiting.reason,
  received_at: waiting.receivedAt,
  awaited: JSON.stringify(waiting.keys),
  accepted: waiting.accepted ? 1 : 0,
});

export const readWaiting = (row: IdentityTables['waiting']): WaitingMessage => ({
  fingerprint: row.fingerprint,
  message: JSON.parse(row.message),
  reason: row.reason,
  receivedAt: row.received_at,
  keys: JSON.parse(row.awaited),
  accepted: row.accepted === 1,
});
