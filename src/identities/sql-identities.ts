import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import { builderRunner, type QueryRunner } from '../sqlite/query-runner.ts';
import type {
  BoundEvent,
  EntityKind,
  Fixture,
  Identities,
  LookupHints,
  SidedFixture,
  WaitingMessage,
} from './identities.ts';
import { type Bound, changesOf, chunks, emptyChanges, forgetWaiting, readWaiting } from './identity-changes.ts';
import { IDENTITY_TABLES, type IdentityTables } from './identity-tables.ts';

const CACHED = 30_000;
const UNKNOWN = Symbol('unknown');

const eventKey = (source: string, ref: string) => `event||${source}|${ref}`;
const entityKey = (kind: EntityKind, scope: string, source: string, ref: string) => `${kind}|${scope}|${source}|${ref}`;
const ownerKey = (kind: EntityKind, scope: string, source: string, id: number) => `${kind}|${scope}|${source}|#${id}`;
const nameKey = (kind: EntityKind, scope: string, name: string) => `${kind}|${scope}|${name}`;

/**
 * Identities in an SQL database, through one query builder. Lookups are answered from bounded caches, filled by
 * `prefetch` in few queries; changes wait in memory until `flush` writes them in one transaction.
 */
export class SqlIdentities implements Identities {
  readonly #db: Kysely<IdentityTables>;
  readonly #runner: QueryRunner;
  readonly #bound = new LRUCache<string, Bound | typeof UNKNOWN>({ max: CACHED });
  readonly #owners = new LRUCache<string, boolean>({ max: CACHED });
  readonly #names = new LRUCache<string, readonly number[]>({ max: CACHED });
  readonly #fixtures = new LRUCache<string, readonly Fixture[]>({ max: CACHED });
  /** Unflushed changes; they also answer lookups, so that an eviction from a cache loses nothing. */
  #pending = emptyChanges();
  #next = new Map<EntityKind, number>();
  #waiting = new Map<string, WaitingMessage | null>();
  #awaited = new Map<string, Set<string>>();

  private constructor(db: Kysely<IdentityTables>, runner: QueryRunner) {
    this.#db = db;
    this.#runner = runner;
  }

  /**
   * Makes the tables where they are missing, and loads the counters and what waits.
   * @param db builds the queries; `runner` runs them
   */
  static async open(db: Kysely<any>, runner: QueryRunner = builderRunner(db)): Promise<SqlIdentities> {
    const identities = new SqlIdentities(db, runner);
    for (const create of IDENTITY_TABLES) await create(db);
    await identities.#load();
    return identities;
  }

  async #load(): Promise<void> {
    const counters = await this.#runner.all(this.#db.selectFrom('id_counters').selectAll());
    this.#next = new Map(counters.map(({ kind, next }) => [kind as EntityKind, next]));
    this.#waiting = new Map();
    this.#awaited = new Map();
    const keys = await this.#runner.all(this.#db.selectFrom('waiting_keys').selectAll());
    for (const { key, fingerprint } of keys) this.#await(key, fingerprint);
    const waiting = await this.#runner.all(this.#db.selectFrom('waiting').select('fingerprint'));
    for (const { fingerprint } of waiting) this.#waiting.set(fingerprint, null);
  }

  allocate(kind: EntityKind): number {
    const id = this.#next.get(kind) ?? 1;
    this.#next.set(kind, id + 1);
    this.#pending.counters.add(kind);
    return id;
  }

  async prefetch(hints: LookupHints): Promise<void> {
    const bound = new Set<string>();
    for (const { source, ref } of hints.events) this.#wantBound(bound, eventKey(source, ref));
    for (const { kind, scope, source, ref } of hints.entities)
      this.#wantBound(bound, entityKey(kind, scope, source, ref));
    await this.#loadBound([...bound]);
    const names = hints.names.map(({ kind, scope, name }) => nameKey(kind, scope, name));
    await this.#loadNames([...new Set(names)].filter((key) => !this.#names.has(key)));
    await this.#loadFixtures([...new Set(hints.pairs)].filter((pair) => !this.#fixtures.has(pair)));
  }

  #wantBound(wanted: Set<string>, key: string): void {
    if (!this.#bound.has(key) && !this.#pending.bound.has(key)) wanted.add(key);
  }

  async #loadBound(keys: readonly string[]): Promise<void> {
    for (const chunk of chunks(keys)) {
      for (const key of chunk) this.#bound.set(key, UNKNOWN);
      const rows = await this.#runner.all(
        this.#db.selectFrom('external_ids').select(['key', 'id', 'turned']).where('key', 'in', chunk),
      );
      for (const { key, id, turned } of rows) this.#bound.set(key, { id, turned: turned === 1 });
    }
  }

  async #loadNames(keys: readonly string[]): Promise<void> {
    for (const chunk of chunks(keys)) {
      const found = new Map<string, number[]>(chunk.map((key) => [key, []]));
      const rows = await this.#runner.all(
        this.#db.selectFrom('names').selectAll().where('key', 'in', chunk).orderBy('id'),
      );
      for (const { key, id } of rows) found.get(key)!.push(id);
      for (const [key, ids] of found) this.#names.set(key, unite(ids, this.#pending.names.get(key)));
    }
  }

  async #loadFixtures(pairs: readonly string[]): Promise<void> {
    for (const chunk of chunks(pairs)) {
      const found = new Map<string, Fixture[]>(chunk.map((pair) => [pair, []]));
      const rows = await this.#runner.all(
        this.#db.selectFrom('fixtures').select(['id', 'pair', 'starts_at']).where('pair', 'in', chunk).orderBy('id'),
      );
      for (const { id, pair, starts_at } of rows) {
        // What waits to be flushed is newer than the row.
        if (!this.#pending.fixtures.has(id)) found.get(pair!)!.push({ id, startsAt: starts_at });
      }
      for (const [pair, list] of found) {
        for (const [id, fixture] of this.#pending.fixtures) {
          if (fixture.pair === pair) list.push({ id, startsAt: fixture.startsAt });
        }
        this.#fixtures.set(pair, list);
      }
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
    return this.#findBound(eventKey(source, ref));
  }

  bindEvent(source: string, ref: string, { id, turned }: BoundEvent): void {
    this.#bind(eventKey(source, ref), ownerKey('event', '', source, id), { id, turned });
  }

  async findEntity(kind: EntityKind, scope: string, source: string, ref: string): Promise<number | undefined> {
    return (await this.#findBound(entityKey(kind, scope, source, ref)))?.id;
  }

  bindEntity(kind: EntityKind, scope: string, source: string, ref: string, id: number): void {
    this.#bind(entityKey(kind, scope, source, ref), ownerKey(kind, scope, source, id), { id, turned: false });
  }

  #bind(key: string, owner: string, bound: Bound): void {
    this.#pending.bound.set(key, bound);
    this.#pending.owners.set(key, owner);
    this.#bound.set(key, bound);
    this.#owners.set(owner, true);
  }

  async hasRefOf(kind: EntityKind, scope: string, source: string, id: number): Promise<boolean> {
    const owner = ownerKey(kind, scope, source, id);
    let has = this.#owners.get(owner);
    if (has === undefined) {
      const [row] = await this.#runner.all(
        this.#db.selectFrom('external_ids').select('key').where('owner', '=', owner).limit(1),
      );
      has = row !== undefined || [...this.#pending.owners.values()].includes(owner);
      this.#owners.set(owner, has);
    }
    return has;
  }

  async findByName(kind: EntityKind, scope: string, name: string): Promise<readonly number[]> {
    const key = nameKey(kind, scope, name);
    const known = this.#names.get(key);
    if (known) return known;
    await this.#loadNames([key]);
    return this.#names.get(key) ?? [];
  }

  async addName(kind: EntityKind, scope: string, name: string, id: number): Promise<boolean> {
    const key = nameKey(kind, scope, name);
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
    this.#fixtures.set(fixture.pair, [...others, { id, startsAt: fixture.startsAt }]);
  }

  async eventsOfSide(side: string): Promise<readonly number[]> {
    await this.flush();
    const rows = await this.#runner.all(
      this.#db
        .selectFrom('fixtures')
        .select('id')
        .where((where) => where.or([where('side_1', '=', side), where('side_2', '=', side)]))
        .orderBy('id'),
    );
    return rows.map(({ id }) => id);
  }

  isWaiting(fingerprint: string): boolean {
    return this.#waiting.has(fingerprint);
  }

  isAwaited(key: string): boolean {
    return this.#awaited.has(key);
  }

  awaitedKeys(): readonly string[] {
    return [...this.#awaited.keys()];
  }

  park(waiting: WaitingMessage): void {
    this.#pending.parked.set(waiting.fingerprint, waiting);
    this.#pending.taken.delete(waiting.fingerprint);
    this.#waiting.set(waiting.fingerprint, waiting);
    for (const key of waiting.keys) this.#await(key, waiting.fingerprint);
  }

  #await(key: string, fingerprint: string): void {
    const set = this.#awaited.get(key);
    if (set) set.add(fingerprint);
    else this.#awaited.set(key, new Set([fingerprint]));
  }

  async takeAwaiting(key: string): Promise<readonly WaitingMessage[]> {
    const fingerprints = [...(this.#awaited.get(key) ?? [])];
    const taken: WaitingMessage[] = [];
    for (const fingerprint of fingerprints) {
      const waiting = this.#waiting.get(fingerprint) ?? (await this.#loadWaiting(fingerprint));
      if (!waiting) continue;
      taken.push(waiting);
      this.#waiting.delete(fingerprint);
      this.#pending.parked.delete(fingerprint);
      this.#pending.taken.add(fingerprint);
      for (const awaited of waiting.keys) {
        const set = this.#awaited.get(awaited);
        set?.delete(fingerprint);
        if (set?.size === 0) this.#awaited.delete(awaited);
      }
    }
    return taken;
  }

  async #loadWaiting(fingerprint: string): Promise<WaitingMessage | undefined> {
    const [row] = await this.#runner.all(
      this.#db.selectFrom('waiting').selectAll().where('fingerprint', '=', fingerprint),
    );
    return row && readWaiting(row);
  }

  async listWaiting(limit: number): Promise<readonly WaitingMessage[]> {
    const rows = await this.#runner.all(this.#db.selectFrom('waiting').selectAll().orderBy('received_at').limit(limit));
    return rows.map(readWaiting);
  }

  async flush(): Promise<void> {
    const pending = this.#pending;
    const queries = changesOf(this.#db, pending, (kind) => this.#next.get(kind)!);
    if (queries.length === 0) return;
    await this.#runner.write(queries);
    // Only now: a flush that failed keeps its changes for the next one. Messages need not stay in memory.
    for (const fingerprint of pending.parked.keys()) this.#waiting.set(fingerprint, null);
    this.#pending = { ...emptyChanges(), taken: pending.taken };
  }

  async confirmTaken(): Promise<void> {
    const taken = [...this.#pending.taken];
    if (taken.length === 0) return;
    await this.#runner.write(forgetWaiting(this.#db, taken));
    this.#pending.taken.clear();
  }

  async reset(): Promise<void> {
    this.#pending = emptyChanges();
    this.#bound.clear();
    this.#owners.clear();
    this.#names.clear();
    this.#fixtures.clear();
    await this.#load();
  }
}

const unite = (ids: readonly number[], more: readonly number[] | undefined): readonly number[] =>
  more ? [...new Set([...ids, ...more])] : ids;
