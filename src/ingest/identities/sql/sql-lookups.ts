import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import { UnavailableError } from '../../../domain/primitives/domain-errors.ts';
import type { CacheSize } from '../../../domain/primitives/size-in-memory.ts';
import { type QueryRunner, type QuerySteps, runStepsTogether } from '../../../platform/sql/query-runner.ts';
import type { BoundEvent, EntityKind, Fixture, LookupHints, SidedFixture } from '../identities.ts';
import { createBatchReads, type IdentityChanges, noteFirstRead } from '../identity-changes.ts';
import {
  formatAliasRowKey,
  formatIdentityKey,
  formatNameRowKey,
  formatRefRowKey,
  type IdentityKey,
} from '../identity-key.ts';
import type { IdentityTables } from './identity-tables.ts';
import { readBound, readFixtures, readNames, readRefRowKeysByOwner } from './sql-identity-rows.ts';
import type { SqlQuarantine } from './sql-quarantine.ts';

const UNKNOWN = Symbol('unknown');
/** The limit of each cache in bytes, not in entries: many fixtures of one pair must not count as one. */
const CACHE_BYTES = 16 * 1024 * 1024;
/** Memory of an entry besides its key; of a fixture too. */
const BYTES_OF_ENTRY = 200;
const BYTES_OF_ID = 8;

const createBoundedCache = <Value extends {}>(bytesOf: (value: Value) => number): LRUCache<string, Value> =>
  new LRUCache({
    maxSize: CACHE_BYTES,
    // No entry may be too large to keep: it was loaded to be used at once.
    sizeCalculation: (value, key) => Math.min(CACHE_BYTES / 4, BYTES_OF_ENTRY + key.length + bytesOf(value)),
  });

interface SqlLookupsOptions {
  /** See `SqlIdentitiesOptions`. */
  readonly isSoleWriter: boolean;
  /** Staged changes: they are newer than the rows, and an eviction from a cache must not lose them. */
  readonly staged: () => IdentityChanges;
  readonly quarantine: SqlQuarantine;
}

/** The lookups of a batch, from bounded caches that are filled in few queries. */
export class SqlLookups {
  readonly #db: Kysely<IdentityTables>;
  readonly #runner: QueryRunner;
  readonly #options: SqlLookupsOptions;
  readonly #bound = createBoundedCache<BoundEvent | typeof UNKNOWN>(() => BYTES_OF_ENTRY);
  readonly #owners = createBoundedCache<boolean>(() => 0);
  readonly #names = createBoundedCache<readonly number[]>((ids) => BYTES_OF_ENTRY + BYTES_OF_ID * ids.length);
  readonly #fixtures = createBoundedCache<readonly Fixture[]>((fixtures) => BYTES_OF_ENTRY * (1 + fixtures.length));
  /** The last known answers of an instance that is not the sole writer: used only while the database is unavailable. */
  readonly #lastBound = createBoundedCache<BoundEvent>(() => BYTES_OF_ENTRY);
  readonly #lastNames = createBoundedCache<readonly number[]>((ids) => BYTES_OF_ENTRY + BYTES_OF_ID * ids.length);
  /** Entities whose ids this batch has allocated, as `kind:id`: nobody else knows them. */
  readonly #newEntities = new Set<string>();
  #reads = createBatchReads();

  constructor(db: Kysely<IdentityTables>, runner: QueryRunner, options: SqlLookupsOptions) {
    this.#db = db;
    this.#runner = runner;
    this.#options = options;
  }

  get reads() {
    return this.#reads;
  }

  get size(): CacheSize {
    const ofBatches = [this.#bound, this.#owners, this.#names, this.#fixtures];
    const caches = this.#options.isSoleWriter ? ofBatches : [...ofBatches, this.#lastBound, this.#lastNames];
    const bytes = caches.reduce((sum, { calculatedSize }) => sum + calculatedSize, 0);
    return { bytes, limit: caches.length * CACHE_BYTES };
  }

  /** Forgets all lookups: others may have changed the rows. */
  forget(): void {
    this.#bound.clear();
    this.#owners.clear();
    this.#names.clear();
    this.#fixtures.clear();
    this.#newEntities.clear();
    this.#reads = createBatchReads();
  }

  noteAllocated(kind: EntityKind, ids: readonly number[]): void {
    if (!this.#options.isSoleWriter) for (const id of ids) this.#newEntities.add(`${kind}:${id}`);
  }

  /** While the database is unavailable, the last known answers suffice for messages that change nothing there. */
  async prefetch(hints: LookupHints): Promise<void> {
    const { staged, quarantine } = this.#options;
    const rows = [
      ...hints.events.map((key) => formatRefRowKey({ what: 'event', ...key })),
      ...hints.entities.map((key) => formatRefRowKey({ what: 'ref', ...key })),
    ];
    const bound = [...new Set(rows)].filter((key) => !this.#bound.has(key) && !staged().bound.has(key));
    const nameRows = hints.names.flatMap((name) => [formatNameRowKey(name), formatAliasRowKey(name)]);
    const names = [...new Set(nameRows)].filter((key) => !this.#names.has(key));
    const pairs = this.#unknownPairs(hints.pairs);
    try {
      const [ofRefs, ofNames, ofPairs] = await this.#runner.read(() =>
        runStepsTogether(
          readBound(this.#db, bound),
          readNames(this.#db, names),
          readFixtures(this.#db, pairs),
          quarantine.mayHoldMessages ? quarantine.findKeysSteps(keysOf(hints)) : nothing(),
        ),
      );
      this.#cacheBound(bound, ofRefs);
      this.#cacheNames(ofNames);
      this.#cacheFixtures(ofPairs);
    } catch (error) {
      if (this.#options.isSoleWriter || !(error instanceof UnavailableError)) throw error;
      for (const key of bound) this.#useLastKnown(this.#bound, key, this.#lastBound.get(key));
      for (const key of names) this.#useLastKnown(this.#names, key, this.#lastNames.get(key));
    }
  }

  #useLastKnown<Value extends {}>(cache: LRUCache<string, Value>, key: string, last: Value | undefined): void {
    if (last !== undefined) cache.set(key, last);
  }

  #unknownPairs(pairs: readonly string[]): string[] {
    const unknown: string[] = [];
    for (const pair of new Set(pairs)) {
      if (this.#fixtures.has(pair)) continue;
      if (this.#hasNewSide(pair)) this.#cacheFixtures(new Map([[pair, []]]));
      else unknown.push(pair);
    }
    return unknown;
  }

  #hasNewSide(pair: string): boolean {
    return this.#newEntities.size > 0 && pair.split('~').some((side) => this.#newEntities.has(side));
  }

  #cacheBound(keys: readonly string[], found: ReadonlyMap<string, BoundEvent>): void {
    for (const key of keys) {
      const bound = found.get(key);
      this.#bound.set(key, bound ?? UNKNOWN);
      if (this.#options.isSoleWriter) continue;
      noteFirstRead(this.#reads.bound, key, bound);
      if (bound) this.#lastBound.set(key, bound);
    }
  }

  #cacheNames(found: ReadonlyMap<string, readonly number[]>): void {
    for (const [key, ids] of found) {
      const { names, removedNames } = this.#options.staged();
      this.#names.set(key, unionOfIds(withoutIds(ids, removedNames.get(key)), names.get(key)));
      if (this.#options.isSoleWriter) continue;
      noteFirstRead(this.#reads.names, key, ids);
      if (ids.length > 0) this.#lastNames.set(key, ids);
    }
  }

  #cacheFixtures(found: ReadonlyMap<string, readonly Fixture[]>): void {
    const { fixtures } = this.#options.staged();
    for (const [pair, rows] of found) {
      // A staged fixture is newer than its row.
      const list = rows.filter(({ id }) => !fixtures.has(id));
      for (const [id, fixture] of fixtures) if (fixture.pair === pair) list.push(placed(id, fixture));
      this.#fixtures.set(pair, list);
      if (!this.#options.isSoleWriter) noteFirstRead(this.#reads.fixtures, pair, rows);
    }
  }

  /** @param key row key of a ref */
  async findBound(key: string): Promise<BoundEvent | undefined> {
    const staged = this.#options.staged().bound.get(key);
    if (staged) return staged;
    let bound = this.#bound.get(key);
    if (bound === undefined) {
      this.#cacheBound([key], await this.#runner.read(() => readBound(this.#db, [key])));
      bound = this.#bound.get(key);
    }
    return bound === UNKNOWN ? undefined : bound;
  }

  /** The binding, as far as it is known without a query. */
  peekBound(key: string): BoundEvent | undefined {
    const known = this.#options.staged().bound.get(key) ?? this.#bound.get(key);
    return known === UNKNOWN ? undefined : known;
  }

  setBound(key: string, bound: BoundEvent, owner: string): void {
    this.#bound.set(key, bound);
    this.#owners.set(owner, true);
  }

  forgetOwner(owner: string): void {
    this.#owners.delete(owner);
  }

  /** @param thing `kind:id` */
  async hasRef(owner: string, entity: string): Promise<boolean> {
    let has = this.#owners.get(owner);
    if (has === undefined) {
      const { owners } = this.#options.staged();
      const refs = this.#newEntities.has(entity) ? [] : await this.#refsOfOwner(owner);
      if (!this.#options.isSoleWriter) noteFirstRead(this.#reads.owners, owner, refs.length > 0);
      has = refs.some((key) => !owners.has(key)) || [...owners.values()].includes(owner);
      this.#owners.set(owner, has);
    }
    return has;
  }

  async #refsOfOwner(owner: string): Promise<readonly string[]> {
    return (await this.#runner.read(() => readRefRowKeysByOwner(this.#db, [owner]))).get(owner)!;
  }

  /** @param key row key of a name */
  async findNames(key: string): Promise<readonly number[]> {
    const known = this.#names.get(key);
    if (known) return known;
    this.#cacheNames(await this.#runner.read(() => readNames(this.#db, [key])));
    return this.#names.get(key) ?? [];
  }

  addName(key: string, id: number): void {
    this.#names.set(key, unionOfIds(this.#names.get(key) ?? [], [id]));
  }

  removeName(key: string, id: number): void {
    this.#names.set(key, withoutIds(this.#names.get(key) ?? [], [id]));
  }

  async findFixtures(pair: string): Promise<readonly Fixture[]> {
    const unknown = this.#unknownPairs([pair]);
    if (unknown.length > 0) this.#cacheFixtures(await this.#runner.read(() => readFixtures(this.#db, unknown)));
    return this.#fixtures.get(pair) ?? [];
  }

  async placeFixture(id: number, fixture: SidedFixture, previousPair: string | null): Promise<void> {
    if (previousPair !== null && previousPair !== fixture.pair) this.#fixtures.delete(previousPair);
    if (fixture.pair === null) return;
    const others = (await this.findFixtures(fixture.pair)).filter((other) => other.id !== id);
    this.#fixtures.set(fixture.pair, [...others, placed(id, fixture)]);
  }
}

function* nothing(): QuerySteps<void> {}

export const unionOfIds = (ids: readonly number[], more: readonly number[] | undefined): readonly number[] =>
  more ? [...new Set([...ids, ...more])] : ids;

const withoutIds = (ids: readonly number[], removed: readonly number[] | undefined): readonly number[] =>
  removed ? ids.filter((id) => !removed.includes(id)) : ids;

const placed = (id: number, { startsAt, sides }: SidedFixture): Fixture => ({ id, startsAt, sides });

/** The keys that messages with these lookups may make known. */
const keysOf = ({ events, entities, names, pairs }: LookupHints): string[] =>
  [
    ...events.map((key): IdentityKey => ({ what: 'event', ...key })),
    ...entities.map((key): IdentityKey => ({ what: 'ref', ...key })),
    ...names.map((key): IdentityKey => ({ what: 'name', ...key })),
    ...pairs.map((pair): IdentityKey => ({ what: 'pair', pair })),
  ].map(formatIdentityKey);
