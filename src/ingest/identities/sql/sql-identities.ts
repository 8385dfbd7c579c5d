import type { Kysely } from 'kysely';
import type { CacheSize } from '../../../domain/primitives/size-in-memory.ts';
import { createKyselyRunner, type QueryRunner, type QuerySteps } from '../../../platform/sql/query-runner.ts';
import { hasColumn, hasTable } from '../../../platform/sqlite/schema-upgrades.ts';
import type {
  BoundEvent,
  BoundRef,
  ClaimedMessages,
  EntityKind,
  EntityScope,
  Fixture,
  Identities,
  LookupHints,
  QuarantineClaim,
  QuarantineCount,
  QuarantinedMessage,
  QuarantinePart,
  QuarantineSize,
  ScopedEntity,
  SidedFixture,
  WaitingGroup,
} from '../identities.ts';
import { createIdentityChanges, hasNoChanges } from '../identity-changes.ts';
import { formatAliasRowKey, formatNameRowKey, formatOwnerKey, formatRefRowKey, type RefKey } from '../identity-key.ts';
import { createIdentityTables, type IdentityTables } from './identity-tables.ts';
import { flushUnlessConflict, keysOfChanges } from './sql-flush.ts';
import { SqlIdAllocator } from './sql-id-allocator.ts';
import { readEntitiesByRef, readNamesOf, readRefs, writeChanges } from './sql-identity-rows.ts';
import { SqlLookups, unionOfIds } from './sql-lookups.ts';
import { SqlQuarantine } from './sql-quarantine.ts';
import { SqlQuarantineReader } from './sql-quarantine-reader.ts';
import { SqlWaitingGroups } from './sql-waiting-groups.ts';

export interface SqlIdentitiesOptions {
  /**
   * Nobody else writes to these tables while this instance is open: lookups stay valid from batch to batch, and a flush
   * need not check them. Default false.
   */
  readonly isSoleWriter?: boolean;
  /** The tables exist and are only read, while others may write: `reset` makes their changes visible. */
  readonly isReadonly?: boolean;
  /** Milliseconds. Without it no binding time of refs is stored. */
  readonly now?: () => number;
  /** Ids that an instance which is not the sole writer reserves together; default 20. */
  readonly block?: number;
}

/**
 * Identities in an SQL database, through one query builder. Lookups are answered from bounded caches, which `prefetch`
 * fills in few queries. Changes wait in memory until `flush` writes them in one transaction.
 */
export class SqlIdentities implements Identities {
  readonly #db: Kysely<IdentityTables>;
  readonly #runner: QueryRunner;
  readonly #isSoleWriter: boolean;
  readonly #now: (() => number) | undefined;
  readonly #ids: SqlIdAllocator;
  readonly #reader: SqlQuarantineReader;
  readonly #quarantine: SqlQuarantine;
  readonly #groups: SqlWaitingGroups;
  readonly #lookups: SqlLookups;
  /** Changes that are not flushed. They also answer lookups, so that an eviction from a cache loses nothing. */
  #pending = createIdentityChanges();
  /** False if an earlier version wrote this folder and it is only read. */
  #hasCounts = true;
  #hasGroups = true;
  /** Sources that are known to be in the table. */
  readonly #knownSources = new Set<string>();

  private constructor(
    db: Kysely<IdentityTables>,
    runner: QueryRunner,
    { isSoleWriter = false, block = 20, now }: SqlIdentitiesOptions,
  ) {
    this.#db = db;
    this.#runner = runner;
    this.#isSoleWriter = isSoleWriter;
    this.#now = now;
    this.#ids = new SqlIdAllocator(db, runner, isSoleWriter, block);
    this.#reader = new SqlQuarantineReader(db, runner);
    this.#groups = new SqlWaitingGroups(db, runner);
    this.#quarantine = new SqlQuarantine(db, runner, isSoleWriter, this.#reader);
    const staged = () => this.#pending;
    this.#lookups = new SqlLookups(db, runner, { isSoleWriter, staged, quarantine: this.#quarantine });
  }

  /**
   * Creates missing tables.
   * @param db builds the queries; `runner` runs them
   */
  static async open(
    db: Kysely<any>,
    runner: QueryRunner = createKyselyRunner(db),
    options: SqlIdentitiesOptions = {},
  ): Promise<SqlIdentities> {
    if (options.isReadonly !== true) await createIdentityTables(db);
    const identities = new SqlIdentities(db, runner, options);
    if (options.isReadonly === true) {
      identities.#hasCounts = await hasTable(db, 'quarantine_counts');
      identities.#hasGroups = await hasColumn(db, 'quarantine', 'group_id');
    }
    await identities.#ids.load();
    await identities.#quarantine.load();
    return identities;
  }

  /** Opens an instance on existing tables that other processes use too. */
  static openOnExistingTables(
    db: Kysely<any>,
    runner: QueryRunner,
    options: Pick<SqlIdentitiesOptions, 'now' | 'block'>,
  ): SqlIdentities {
    return new SqlIdentities(db, runner, options);
  }

  /** The memory of cached lookups. */
  get size(): CacheSize {
    return this.#lookups.size;
  }

  async allocate(kind: EntityKind, count = 1): Promise<readonly number[]> {
    const ids = await this.#ids.allocate(kind, count);
    this.#lookups.noteAllocated(kind, ids);
    return ids;
  }

  countAllocated(kind: EntityKind): Promise<number> {
    return this.#ids.count(kind);
  }

  async hasOtherSources(source: string): Promise<boolean> {
    const [named] = await this.#runner.all(
      this.#db.selectFrom('named_sources').select('source').where('source', '!=', source).limit(1),
    );
    return named !== undefined || this.#reader.hasMessageOfOtherSource(source);
  }

  prefetch(hints: LookupHints): Promise<void> {
    return this.#lookups.prefetch(hints);
  }

  findEvent(source: string, ref: string): Promise<BoundEvent | undefined> {
    return this.#lookups.findBound(formatRefRowKey({ what: 'event', source, ref }));
  }

  async bindEvent(source: string, ref: string, { id, swapped }: BoundEvent): Promise<void> {
    this.#bind({ what: 'event', source, ref }, formatOwnerKey('event', '', source, id), { id, swapped });
  }

  async findEntity(kind: EntityKind, scope: string, source: string, ref: string): Promise<number | undefined> {
    return (await this.#lookups.findBound(formatRefRowKey({ what: 'ref', kind, scope, source, ref })))?.id;
  }

  async bindEntity(kind: EntityKind, scope: string, source: string, ref: string, id: number): Promise<void> {
    const owner = formatOwnerKey(kind, scope, source, id);
    this.#bind({ what: 'ref', kind, scope, source, ref }, owner, { id, swapped: false });
  }

  #bind(named: RefKey, owner: string, bound: BoundEvent): void {
    const key = formatRefRowKey(named);
    const before = this.#lookups.peekBound(key);
    // A ref that moves leaves the entity to which it was bound.
    if (before) {
      const [kind, scope] = named.what === 'event' ? (['event', ''] as const) : [named.kind, named.scope];
      this.#lookups.forgetOwner(formatOwnerKey(kind, scope, named.source, before.id));
    }
    this.#pending.bound.set(key, bound);
    this.#pending.owners.set(key, owner);
    if (!this.#knownSources.has(named.source)) this.#pending.sources.add(named.source);
    this.#lookups.setBound(key, bound, owner);
  }

  hasRefOf(kind: EntityKind, scope: string, source: string, id: number): Promise<boolean> {
    return this.#lookups.hasRef(formatOwnerKey(kind, scope, source, id), `${kind}:${id}`);
  }

  findEntitiesByRef(source: string, ref: string, among: readonly EntityScope[]): Promise<readonly ScopedEntity[]> {
    return this.#runner.read(() => readEntitiesByRef(this.#db, source, ref, among));
  }

  listRefs(things: readonly ScopedEntity[]): Promise<readonly (readonly BoundRef[])[]> {
    return this.#runner.read(() => readRefs(this.#db, things));
  }

  async findByName(kind: EntityKind, scope: string, name: string): Promise<readonly number[]> {
    const reported = await this.#lookups.findNames(formatNameRowKey({ kind, scope, name }));
    const given = await this.#lookups.findNames(formatAliasRowKey({ kind, scope, name }));
    return given.length === 0 ? reported : unionOfIds(reported, given);
  }

  listNames(things: readonly ScopedEntity[]): Promise<readonly (readonly string[])[]> {
    return this.#runner.read(() => readNamesOf(this.#db, things));
  }

  async addAlias(kind: EntityKind, scope: string, name: string, id: number): Promise<void> {
    const key = formatAliasRowKey({ kind, scope, name });
    if ((await this.#lookups.findNames(key)).includes(id)) return;
    this.#lookups.addName(key, id);
    const { names, removedNames } = this.#pending;
    names.set(key, unionOfIds(names.get(key) ?? [], [id]));
    removedNames.set(
      key,
      (removedNames.get(key) ?? []).filter((other) => other !== id),
    );
  }

  async removeAlias(kind: EntityKind, scope: string, name: string, id: number): Promise<void> {
    const key = formatAliasRowKey({ kind, scope, name });
    if (!(await this.#lookups.findNames(key)).includes(id)) return;
    this.#lookups.removeName(key, id);
    const { names, removedNames } = this.#pending;
    names.set(
      key,
      (names.get(key) ?? []).filter((other) => other !== id),
    );
    removedNames.set(key, unionOfIds(removedNames.get(key) ?? [], [id]));
  }

  async addName(kind: EntityKind, scope: string, name: string, id: number): Promise<boolean> {
    const key = formatNameRowKey({ kind, scope, name });
    if ((await this.#lookups.findNames(key)).includes(id)) return false;
    this.#lookups.addName(key, id);
    this.#pending.names.set(key, unionOfIds(this.#pending.names.get(key) ?? [], [id]));
    return true;
  }

  findFixtures(pair: string): Promise<readonly Fixture[]> {
    return this.#lookups.findFixtures(pair);
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

  async fixturesOfSide(side: string, from: number, to: number, limit: number): Promise<readonly Fixture[]> {
    const rows = await this.#runner.all(
      this.#db
        .selectFrom('fixtures')
        .selectAll()
        .where((where) => where.or([where('side_1', '=', side), where('side_2', '=', side)]))
        .where('starts_at', '>=', from)
        .where('starts_at', '<=', to)
        .orderBy('starts_at')
        .limit(limit),
    );
    return rows.map(({ id, starts_at, side_1, side_2 }) => {
      return { id: Number(id), startsAt: Number(starts_at), sides: [side_1, side_2] };
    });
  }

  async eventsOfPairs(): Promise<readonly number[]> {
    const rows = await this.#runner.all(
      this.#db
        .selectFrom('fixtures')
        .select('id')
        .where((where) => where.or([where('side_1', 'like', 'pair:%'), where('side_2', 'like', 'pair:%')])),
    );
    return rows.map(({ id }) => Number(id)).sort((a, b) => a - b);
  }

  findQuarantined(fingerprints: readonly string[]): Promise<ReadonlySet<string>> {
    return this.#quarantine.findQuarantined(fingerprints);
  }

  findQuarantineKeys(keys: readonly string[]): Promise<ReadonlySet<string>> {
    return this.#quarantine.findKeys(keys);
  }

  listQuarantineKeys(after: string | null, limit: number): Promise<readonly string[]> {
    return this.#reader.listKeys(after, limit);
  }

  async quarantine(waiting: QuarantinedMessage): Promise<void> {
    this.#quarantine.add(waiting);
  }

  claimQuarantined(key: string, claim: QuarantineClaim): Promise<ClaimedMessages> {
    return this.#quarantine.claim(key, claim);
  }

  listUntriedKeys(after: string | null, limit: number): Promise<readonly string[]> {
    return this.#quarantine.listUntriedKeys(after, limit);
  }

  listAbandonedKeys(now: number, limit: number): Promise<readonly string[]> {
    return this.#quarantine.listAbandonedKeys(now, limit);
  }

  listWaitingGroups(after: string | null, limit: number): Promise<readonly WaitingGroup[]> {
    return this.#hasGroups ? this.#groups.list(after, limit) : this.#groups.listByReading(this.#reader, after, limit);
  }

  findWaitingGroup(id: string): Promise<WaitingGroup | undefined> {
    return this.#groups.find(id);
  }

  findWaitingFor(key: string): Promise<WaitingGroup | undefined> {
    return this.#groups.findFor(key);
  }

  listWaiting(part: QuarantinePart, limit: number): Promise<readonly QuarantinedMessage[]> {
    return this.#hasGroups || 'key' in part
      ? this.#groups.listMessages(part, limit)
      : this.#groups.listMessagesByReading(this.#reader, part.group, limit);
  }

  listQuarantined(limit: number): Promise<readonly QuarantinedMessage[]> {
    return this.#reader.list(limit);
  }

  eachQuarantined(): AsyncIterable<readonly QuarantinedMessage[]> {
    return this.#reader.each();
  }

  quarantineSize(): Promise<QuarantineSize> {
    return this.#quarantine.size();
  }

  countQuarantined(): Promise<readonly QuarantineCount[]> {
    return this.#hasCounts ? this.#quarantine.counts() : this.#reader.countByReading();
  }

  topQuarantineKeys(limit: number): Promise<readonly { readonly key: string; readonly number: number }[]> {
    return this.#reader.topKeys(limit);
  }

  async flush(): Promise<void> {
    const pending = this.#pending;
    const counters = this.#ids.stagedCounters();
    if (counters.length > 0 || !hasNoChanges(pending) || this.#quarantine.hasStagedChanges) {
      // Before the write: if the answer gets lost, the keys may be known nevertheless.
      if (!this.#isSoleWriter) this.#quarantine.noteKnownKeys(keysOfChanges(pending));
      await this.#runner.transact(() => this.#write(counters));
    }
    // Only now: after a failed flush the changes stay for the next one.
    for (const source of pending.sources) this.#knownSources.add(source);
    this.#pending = createIdentityChanges();
    this.#ids.markFlushed();
    this.#quarantine.markFlushed();
    // Others may write from now on: the next batch must read again.
    if (!this.#isSoleWriter) this.#lookups.forget();
  }

  *#write(counters: ReturnType<SqlIdAllocator['stagedCounters']>): QuerySteps<void> {
    for (const counter of counters) yield counter;
    const now = this.#now?.() ?? null;
    if (!this.#isSoleWriter)
      return yield* flushUnlessConflict(this.#db, this.#pending, this.#lookups.reads, this.#quarantine, now);
    yield* writeChanges(this.#db, this.#pending, now);
    yield* this.#quarantine.writeSteps();
  }

  confirmClaimed(): Promise<readonly string[]> {
    return this.#quarantine.confirmClaimed();
  }

  giveBackIds(): void {
    this.#ids.giveBack();
  }

  async reset(): Promise<void> {
    this.#ids.reset();
    this.#pending = createIdentityChanges();
    this.#lookups.forget();
    await this.#quarantine.reset();
  }
}
