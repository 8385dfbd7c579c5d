import type { Kysely } from 'kysely';
import type { CacheSize } from '../../domain/cache-size.ts';
import { builderRunner, type QueryRunner, type Steps } from '../../platform/sql/query-runner.ts';
import { hasTable } from '../../platform/sqlite/older-folders.ts';
import type {
  BoundEvent,
  BoundRef,
  EntityKind,
  Fixture,
  Identities,
  LookupHints,
  NamedThing,
  SidedFixture,
  Taking,
  ThingScope,
  WaitingMessage,
  WaitingNumber,
} from './identities.ts';
import { isEmpty, noChanges } from './identity-changes.ts';
import { createIdentityTables, type IdentityTables } from './identity-tables.ts';
import { nameRow, ownerText, type SourceKey, sourceRow } from './known-key.ts';
import { flushShared, keysOfChanges } from './sql-flush.ts';
import { writeChanges } from './sql-identity-changes.ts';
import { SqlIds } from './sql-ids.ts';
import { SqlLookups, unite } from './sql-lookups.ts';
import { SqlQuarantine } from './sql-quarantine.ts';
import { readRefs, readThings } from './sql-refs.ts';
import { SqlWaitingReader } from './sql-waiting-reader.ts';

export interface SqlIdentitiesOptions {
  /**
   * Nobody else writes to these tables while this instance is open: what it has looked up stays true, so that it is
   * kept from batch to batch, and a flush need not look again. Default false.
   */
  readonly isAlone?: boolean;
  /** The tables are there, and are only read, while others may write: `reset` shows what they have changed. */
  readonly isReadonly?: boolean;
  /** Milliseconds. Without it nobody notes when refs are bound. */
  readonly now?: () => number;
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
  readonly #now: (() => number) | undefined;
  readonly #ids: SqlIds;
  readonly #waiting: SqlWaitingReader;
  readonly #quarantine: SqlQuarantine;
  readonly #lookups: SqlLookups;
  /** Unflushed changes; they also answer lookups, so that an eviction from a cache loses nothing. */
  #pending = noChanges();
  /** False: an earlier version wrote this folder, and it is only read. */
  #hasNumbers = true;
  /** Sources that are known to be noted. */
  readonly #noted = new Set<string>();

  private constructor(
    db: Kysely<IdentityTables>,
    runner: QueryRunner,
    { isAlone = false, block = 20, now }: SqlIdentitiesOptions,
  ) {
    this.#db = db;
    this.#runner = runner;
    this.#isAlone = isAlone;
    this.#now = now;
    this.#ids = new SqlIds(db, runner, isAlone, block);
    this.#waiting = new SqlWaitingReader(db, runner);
    this.#quarantine = new SqlQuarantine(db, runner, isAlone, this.#waiting);
    const staged = () => this.#pending;
    this.#lookups = new SqlLookups(db, runner, { isAlone, staged, quarantine: this.#quarantine });
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

  /** On tables that are there, beside others who work on them too. */
  static on(db: Kysely<any>, runner: QueryRunner, options: Pick<SqlIdentitiesOptions, 'now' | 'block'>): SqlIdentities {
    return new SqlIdentities(db, runner, options);
  }

  /** What was looked up, as it is kept in memory. */
  get size(): CacheSize {
    return this.#lookups.size;
  }

  async allocate(kind: EntityKind, count = 1): Promise<readonly number[]> {
    const ids = await this.#ids.allocate(kind, count);
    this.#lookups.given(kind, ids);
    return ids;
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

  prefetch(hints: LookupHints): Promise<void> {
    return this.#lookups.prefetch(hints);
  }

  findEvent(source: string, ref: string): Promise<BoundEvent | undefined> {
    return this.#lookups.bound(sourceRow({ what: 'event', source, ref }));
  }

  async bindEvent(source: string, ref: string, { id, turned }: BoundEvent): Promise<void> {
    this.#bind({ what: 'event', source, ref }, ownerText('event', '', source, id), { id, turned });
  }

  async findEntity(kind: EntityKind, scope: string, source: string, ref: string): Promise<number | undefined> {
    return (await this.#lookups.bound(sourceRow({ what: 'ref', kind, scope, source, ref })))?.id;
  }

  async bindEntity(kind: EntityKind, scope: string, source: string, ref: string, id: number): Promise<void> {
    const owner = ownerText(kind, scope, source, id);
    this.#bind({ what: 'ref', kind, scope, source, ref }, owner, { id, turned: false });
  }

  #bind(named: SourceKey, owner: string, bound: BoundEvent): void {
    const key = sourceRow(named);
    const before = this.#lookups.knownBound(key);
    // A ref that moves leaves the thing that it was bound to.
    if (before) {
      const [kind, scope] = named.what === 'event' ? (['event', ''] as const) : [named.kind, named.scope];
      this.#lookups.forgetOwner(ownerText(kind, scope, named.source, before.id));
    }
    this.#pending.bound.set(key, bound);
    this.#pending.owners.set(key, owner);
    if (!this.#noted.has(named.source)) this.#pending.sources.add(named.source);
    this.#lookups.setBound(key, bound, owner);
  }

  hasRefOf(kind: EntityKind, scope: string, source: string, id: number): Promise<boolean> {
    return this.#lookups.hasRef(ownerText(kind, scope, source, id), `${kind}:${id}`);
  }

  thingsOf(source: string, ref: string, among: readonly ThingScope[]): Promise<readonly NamedThing[]> {
    return this.#runner.read(() => readThings(this.#db, source, ref, among));
  }

  refsOf(things: readonly NamedThing[]): Promise<readonly (readonly BoundRef[])[]> {
    return this.#runner.read(() => readRefs(this.#db, things));
  }

  findByName(kind: EntityKind, scope: string, name: string): Promise<readonly number[]> {
    return this.#lookups.names(nameRow({ kind, scope, name }));
  }

  async addName(kind: EntityKind, scope: string, name: string, id: number): Promise<boolean> {
    const key = nameRow({ kind, scope, name });
    if ((await this.#lookups.names(key)).includes(id)) return false;
    this.#lookups.addName(key, id);
    this.#pending.names.set(key, unite(this.#pending.names.get(key) ?? [], [id]));
    return true;
  }

  findFixtures(pair: string): Promise<readonly Fixture[]> {
    return this.#lookups.fixtures(pair);
  }

  async putFixture(id: number, fixture: SidedFixture, previousPair: string | null): Promise<void> {
    this.#pending.fixtures.set(id, fixture);
    await this.#lookups.placeFixture(id, fixture, previousPair);
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
    if (!this.#isAlone) this.#lookups.forget();
  }

  *#write(counters: ReturnType<SqlIds['staged']>): Steps<void> {
    for (const counter of counters) yield counter;
    const now = this.#now?.() ?? null;
    if (!this.#isAlone) return yield* flushShared(this.#db, this.#pending, this.#lookups.reads, this.#quarantine, now);
    yield* writeChanges(this.#db, this.#pending, now);
    yield* this.#quarantine.write();
  }

  confirmTaken(): Promise<readonly string[]> {
    return this.#quarantine.confirm();
  }

  async reset(): Promise<void> {
    this.#pending = noChanges();
    this.#lookups.forget();
    await this.#quarantine.reset();
  }
}
