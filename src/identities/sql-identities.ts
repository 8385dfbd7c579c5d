import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { CacheSize } from '../domain/cache-size.ts';
import { builderRunner, type QueryRunner, type Steps } from '../sqlite/query-runner.ts';
import type {
  BoundEvent,
  EntityKind,
  Fixture,
  Identities,
  LookupHints,
  SidedFixture,
  Taking,
  WaitingMessage,
  WaitingNumber,
} from './identities.ts';
import { type Bound, isEmpty, noChanges, noReads, noteRead } from './identity-changes.ts';
import { createIdentityTables, hasTable, type IdentityTables } from './identity-tables.ts';
import { type KnownKey, keyText, nameRow, ownerText, refsById, type SourceKey, sourceRow } from './known-key.ts';
import { flushShared, keysOfChanges } from './sql-flush.ts';
import { readBound, readFixtures, readNames, readOwned, writeChanges } from './sql-identity-changes.ts';
import { SqlIds } from './sql-ids.ts';
import { SqlQuarantine } from './sql-quarantine.ts';
import { SqlWaitingReader } from './sql-waiting-reader.ts';

const CACHED = 30_000;
const UNKNOWN = Symbol('unknown');
/** What each of the caches may take: many fixtures of one pair must not count as one. */
const CACHE_BYTES = 16 * 1024 * 1024;
/** Of an entry beside the text of its key; of a fixture too. */
const BYTES_OF_ENTRY = 200;
const BYTES_OF_ID = 8;

const kept = <Value extends {}>(bytesOf: (value: Value) => number): LRUCache<string, Value> =>
  new LRUCache({
    ...{ max: CACHED, maxSize: CACHE_BYTES },
    // None is too large to be kept: what was loaded a moment ago must be there.
    sizeCalculation: (value, key) => Math.min(CACHE_BYTES / 4, BYTES_OF_ENTRY + key.length + bytesOf(value)),
  });

export interface SqlIdentitiesOptions {
  /**
   * Nobody else writes to these tables while this instance is open: what it has looked up stays true, so that it is
   * kept from batch to batch, and a flush need not look again. Default false.
   */
  readonly isAlone?: boolean;
  /** The tables are there, and are only read, while others may write: `reset` shows what they have changed. */
  readonly isReadonly?: boolean;
  /** Ids that one who is not alone takes from a counter at once; default 20. */
  readonly block?: number;
}

/**
 * Identities in an SQL database, through one query builder. Lookups are answered from bounded caches, filled by
 * `prefetch` in few queries; changes wait in memory until `flush` writes them in one transaction.
 */
export class SqlIdentities implements Identities {
  readonly #db: Kysely<IdentityTables>;
  readonly #runner: QueryRunner;
  readonly #isAlone: boolean;
  readonly #ids: SqlIds;
  readonly #waiting: SqlWaitingReader;
  readonly #quarantine: SqlQuarantine;
  readonly #bound = kept<Bound | typeof UNKNOWN>(() => BYTES_OF_ENTRY);
  readonly #owners = kept<boolean>(() => 0);
  readonly #names = kept<readonly number[]>((ids) => BYTES_OF_ENTRY + BYTES_OF_ID * ids.length);
  readonly #fixtures = kept<readonly Fixture[]>((fixtures) => BYTES_OF_ENTRY * (1 + fixtures.length));
  /** Unflushed changes; they also answer lookups, so that an eviction from a cache loses nothing. */
  #pending = noChanges();
  #reads = noReads();
  /** False: an earlier version wrote this folder, and it is only read. */
  #hasNumbers = true;
  /** Sources that are known to be noted. */
  readonly #noted = new Set<string>();

  private constructor(
    db: Kysely<IdentityTables>,
    runner: QueryRunner,
    { isAlone = false, block = 20 }: SqlIdentitiesOptions,
  ) {
    this.#db = db;
    this.#runner = runner;
    this.#isAlone = isAlone;
    this.#ids = new SqlIds(db, runner, isAlone, block);
    this.#waiting = new SqlWaitingReader(db, runner);
    this.#quarantine = new SqlQuarantine(db, runner, isAlone, this.#waiting);
  }

  /**
   * Makes the tables where they are missing.
   * @param db builds the queries; `runner` runs them
   */
  static async open(
    db: Kysely<any>,
    runner: QueryRunner = builderRunner(db),
    options: SqlIdentitiesOptions = {},
  ): Promise<SqlIdentities> {
    if (options.isReadonly !== true) await createIdentityTables(db);
    const identities = new SqlIdentities(db, runner, options);
    if (options.isReadonly === true) identities.#hasNumbers = await hasTable(db, 'waiting_numbers');
    await identities.#ids.load();
    await identities.#quarantine.load();
    return identities;
  }

  /** What was looked up, as it is kept in memory. */
  get size(): CacheSize {
    const caches = [this.#bound, this.#owners, this.#names, this.#fixtures];
    const bytes = caches.reduce((sum, { calculatedSize }) => sum + calculatedSize, 0);
    return { bytes, limit: caches.length * CACHE_BYTES };
  }

  allocate(kind: EntityKind, count = 1): Promise<readonly number[]> {
    return this.#ids.allocate(kind, count);
  }

  count(kind: EntityKind): Promise<number> {
    return this.#ids.count(kind);
  }

  async fedByOthers(source: string): Promise<boolean> {
    const [named] = await this.#runner.all(
      this.#db.selectFrom('named_sources').select('source').where('source', '!=', source).limit(1),
    );
    return named !== undefined || this.#waiting.hasOther(source);
  }

  async prefetch(hints: LookupHints): Promise<void> {
    const bound = new Set<string>();
    for (const key of hints.events) this.#wantBound(bound, sourceRow({ what: 'event', ...key }));
    for (const key of hints.entities) this.#wantBound(bound, sourceRow({ what: 'ref', ...key }));
    await this.#loadBound([...bound]);
    const names = hints.names.map(nameRow);
    await this.#loadNames([...new Set(names)].filter((key) => !this.#names.has(key)));
    await this.#loadFixtures([...new Set(hints.pairs)].filter((pair) => !this.#fixtures.has(pair)));
    if (this.#quarantine.mayWait) await this.#quarantine.prefetch(keysOf(hints));
  }

  #wantBound(wanted: Set<string>, key: string): void {
    if (!this.#bound.has(key) && !this.#pending.bound.has(key)) wanted.add(key);
  }

  async #read<Result>(steps: Steps<Result>): Promise<Result> {
    let step = steps.next();
    while (!step.done) step = steps.next(await this.#runner.all(step.value as never));
    return step.value;
  }

  async #loadBound(keys: readonly string[]): Promise<void> {
    const found = await this.#read(readBound(this.#db, keys));
    for (const key of keys) {
      const bound = found.get(key);
      this.#bound.set(key, bound ?? UNKNOWN);
      if (!this.#isAlone) noteRead(this.#reads.bound, key, bound);
    }
  }

  async #loadNames(keys: readonly string[]): Promise<void> {
    for (const [key, ids] of await this.#read(readNames(this.#db, keys))) {
      this.#names.set(key, unite(ids, this.#pending.names.get(key)));
      if (!this.#isAlone) noteRead(this.#reads.names, key, ids);
    }
  }

  async #loadFixtures(pairs: readonly string[]): Promise<void> {
    for (const [pair, rows] of await this.#read(readFixtures(this.#db, pairs))) {
      // What waits to be flushed is newer than the row.
      const list = rows.filter(({ id }) => !this.#pending.fixtures.has(id));
      for (const [id, fixture] of this.#pending.fixtures) if (fixture.pair === pair) list.push(placed(id, fixture));
      this.#fixtures.set(pair, list);
      if (!this.#isAlone) noteRead(this.#reads.fixtures, pair, rows);
    }
  }

  async #findBound(key: string): Promise<Bound | undefined> {
    const pending = this.#pending.bound.get(key);
    if (pending) return pending;
    let bound = this.#bound.get(key);
    if (bound === undefined) {
      await this.#loadBound([key]);
      bound = this.#bound.get(key);
    }
    return bound === UNKNOWN ? undefined : bound;
  }

  findEvent(source: string, ref: string): Promise<BoundEvent | undefined> {
    return this.#findBound(sourceRow({ what: 'event', source, ref }));
  }

  async bindEvent(source: string, ref: string, { id, turned }: BoundEvent): Promise<void> {
    this.#bind({ what: 'event', source, ref }, ownerText('event', '', source, id), { id, turned });
  }

  async findEntity(kind: EntityKind, scope: string, source: string, ref: string): Promise<number | undefined> {
    return (await this.#findBound(sourceRow({ what: 'ref', kind, scope, source, ref })))?.id;
  }

  async bindEntity(kind: EntityKind, scope: string, source: string, ref: string, id: number): Promise<void> {
    const owner = ownerText(kind, scope, source, id);
    this.#bind({ what: 'ref', kind, scope, source, ref }, owner, { id, turned: false });
  }

  #bind(named: SourceKey, owner: string, bound: Bound): void {
    const key = sourceRow(named);
    this.#forgetOwner(named, this.#pending.bound.get(key) ?? this.#bound.get(key));
    this.#pending.bound.set(key, bound);
    this.#pending.owners.set(key, owner);
    if (!this.#noted.has(named.source)) this.#pending.sources.add(named.source);
    this.#bound.set(key, bound);
    this.#owners.set(owner, true);
  }

  /** A ref that moves leaves the thing that it was bound to. */
  #forgetOwner(named: SourceKey, before: Bound | typeof UNKNOWN | undefined): void {
    if (before === undefined || before === UNKNOWN) return;
    const [kind, scope] = named.what === 'event' ? (['event', ''] as const) : [named.kind, named.scope];
    this.#owners.delete(ownerText(kind, scope, named.source, before.id));
  }

  async hasRefOf(kind: EntityKind, scope: string, source: string, id: number): Promise<boolean> {
    const owner = ownerText(kind, scope, source, id);
    let has = this.#owners.get(owner);
    if (has === undefined) {
      const owned = (await this.#read(readOwned(this.#db, [owner]))).get(owner)!;
      if (!this.#isAlone) noteRead(this.#reads.owners, owner, owned.length > 0);
      const staged = this.#pending.owners;
      has = owned.some((key) => !staged.has(key)) || [...staged.values()].includes(owner);
      this.#owners.set(owner, has);
    }
    return has;
  }

  async refsOf(
    kind: EntityKind,
    scope: string,
    source: string,
    ids: readonly number[],
  ): Promise<ReadonlyMap<number, readonly string[]>> {
    const ownerOf = (id: number) => ownerText(kind, scope, source, id);
    return refsById(await this.#read(readOwned(this.#db, ids.map(ownerOf))), ownerOf, ids);
  }

  async findByName(kind: EntityKind, scope: string, name: string): Promise<readonly number[]> {
    const key = nameRow({ kind, scope, name });
    const known = this.#names.get(key);
    if (known) return known;
    await this.#loadNames([key]);
    return this.#names.get(key) ?? [];
  }

  async addName(kind: EntityKind, scope: string, name: string, id: number): Promise<boolean> {
    const key = nameRow({ kind, scope, name });
    const ids = await this.findByName(kind, scope, name);
    if (ids.includes(id)) return false;
    this.#names.set(key, unite(ids, [id]));
    this.#pending.names.set(key, unite(this.#pending.names.get(key) ?? [], [id]));
    return true;
  }

  async findFixtures(pair: string): Promise<readonly Fixture[]> {
    if (!this.#fixtures.has(pair)) await this.#loadFixtures([pair]);
    return this.#fixtures.get(pair) ?? [];
  }

  async putFixture(id: number, fixture: SidedFixture, previousPair: string | null): Promise<void> {
    this.#pending.fixtures.set(id, fixture);
    if (previousPair !== null && previousPair !== fixture.pair) this.#fixtures.delete(previousPair);
    if (fixture.pair === null) return;
    const others = (await this.findFixtures(fixture.pair)).filter((other) => other.id !== id);
    this.#fixtures.set(fixture.pair, [...others, placed(id, fixture)]);
  }

  async eventsOfSide(side: string): Promise<readonly number[]> {
    const rows = await this.#runner.all(
      this.#db
        .selectFrom('fixtures')
        .select('id')
        .where((where) => where.or([where('side_1', '=', side), where('side_2', '=', side)])),
    );
    const { fixtures } = this.#pending;
    const ids = rows.map(({ id }) => Number(id)).filter((id) => !fixtures.has(id));
    for (const [id, { sides }] of fixtures) if (sides.includes(side)) ids.push(id);
    return ids.sort((a, b) => a - b);
  }

  isWaiting(fingerprints: readonly string[]): Promise<ReadonlySet<string>> {
    return this.#quarantine.isWaiting(fingerprints);
  }

  awaited(keys: readonly string[]): Promise<ReadonlySet<string>> {
    return this.#quarantine.awaited(keys);
  }

  awaitedKeys(after: string | null, limit: number): Promise<readonly string[]> {
    return this.#waiting.awaitedKeys(after, limit);
  }

  async park(waiting: WaitingMessage): Promise<void> {
    this.#quarantine.park(waiting);
  }

  takeAwaiting(key: string, taking: Taking): Promise<readonly WaitingMessage[]> {
    return this.#quarantine.take(key, taking);
  }

  untriedKeys(after: string | null, limit: number): Promise<readonly string[]> {
    return this.#quarantine.untriedKeys(after, limit);
  }

  listWaiting(limit: number): Promise<readonly WaitingMessage[]> {
    return this.#waiting.list(limit);
  }

  eachWaiting(): AsyncIterable<readonly WaitingMessage[]> {
    return this.#waiting.each();
  }

  waitingNumbers(): Promise<readonly WaitingNumber[]> {
    return this.#hasNumbers ? this.#quarantine.numbers() : this.#waiting.countedNumbers();
  }

  mostAwaited(limit: number): Promise<readonly { readonly key: string; readonly number: number }[]> {
    return this.#waiting.mostAwaited(limit);
  }

  async flush(): Promise<void> {
    const pending = this.#pending;
    const counters = this.#ids.staged();
    if (counters.length > 0 || !isEmpty(pending) || this.#quarantine.isStaged) {
      // Before it is written: should the answer get lost, it may be known.
      if (!this.#isAlone) this.#quarantine.becomesKnown(keysOfChanges(pending));
      await this.#runner.transact(() => this.#write(counters));
    }
    // Only now: a flush that failed keeps its changes for the next one.
    for (const source of pending.sources) this.#noted.add(source);
    this.#pending = noChanges();
    this.#ids.flushed();
    this.#quarantine.flushed();
    // Others may write from now on: the next batch looks for itself.
    if (!this.#isAlone) this.#forget();
  }

  *#write(counters: ReturnType<SqlIds['staged']>): Steps<void> {
    for (const counter of counters) yield counter;
    if (!this.#isAlone) return yield* flushShared(this.#db, this.#pending, this.#reads, this.#quarantine);
    yield* writeChanges(this.#db, this.#pending);
    yield* this.#quarantine.write();
  }

  confirmTaken(): Promise<readonly string[]> {
    return this.#quarantine.confirm();
  }

  async reset(): Promise<void> {
    this.#pending = noChanges();
    this.#forget();
    await this.#quarantine.reset();
  }

  #forget(): void {
    this.#bound.clear();
    this.#owners.clear();
    this.#names.clear();
    this.#fixtures.clear();
    this.#reads = noReads();
  }
}

const unite = (ids: readonly number[], more: readonly number[] | undefined): readonly number[] =>
  more ? [...new Set([...ids, ...more])] : ids;

const placed = (id: number, { startsAt, sides }: SidedFixture): Fixture => ({ id, startsAt, sides });

/** What may become known by messages that need these lookups. */
const keysOf = ({ events, entities, names, pairs }: LookupHints): string[] =>
  [
    ...events.map((key): KnownKey => ({ what: 'event', ...key })),
    ...entities.map((key): KnownKey => ({ what: 'ref', ...key })),
    ...names.map((key): KnownKey => ({ what: 'name', ...key })),
    ...pairs.map((pair): KnownKey => ({ what: 'pair', pair })),
  ].map(keyText);
