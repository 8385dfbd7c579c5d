import type { Kysely } from 'kysely';
import { UnavailableError } from '../../../domain/primitives/domain-errors.ts';
import { type QueryRunner, type QuerySteps, queryRows } from '../../../platform/sql/query-runner.ts';
import {
  type ClaimedMessages,
  compareByArrival,
  type QuarantineClaim,
  type QuarantineCount,
  type QuarantinedMessage,
  type QuarantineSize,
} from '../identities.ts';
import { QuarantineCountChanges, quarantinedBytes, readQuarantineCount } from '../quarantine-counts.ts';
import type { IdentityTables } from './identity-tables.ts';
import { type QuarantineRow, readQuarantineRow } from './identity-tables.ts';
import { chunks } from './sql-chunks.ts';
import { SqlQuarantineKeys } from './sql-quarantine-keys.ts';
import type { SqlQuarantineReader } from './sql-quarantine-reader.ts';
import {
  deleteOldKeys,
  deleteQuarantined,
  insertQuarantined,
  updateQuarantineCounts,
  updateQuarantined,
} from './sql-quarantine-rows.ts';

interface ConfirmResult {
  /** See `Identities.confirmClaimed`. */
  readonly keysToRetry: readonly string[];
  /** Keys that may have no waiting messages any more. */
  readonly keys: readonly string[];
}

type CompleteClaim = Required<QuarantineClaim> & { readonly after: number };

/** A row with its place in the order in which messages began to wait for the key. */
type PlacedRow = QuarantineRow & { readonly rowid: number };

interface ClaimedRows {
  readonly rows: readonly QuarantineRow[];
  readonly next: number | undefined;
}

/**
 * The quarantine in an SQL database, with the staged messages and claims of the current batch. For a sole writer,
 * claims are in memory only: a crash drops them, and the messages are free again. Memory does not grow with the number
 * of quarantined messages.
 */
export class SqlQuarantine {
  readonly #db: Kysely<IdentityTables>;
  readonly #runner: QueryRunner;
  readonly #isSoleWriter: boolean;
  readonly #reader: SqlQuarantineReader;
  readonly #keys: SqlQuarantineKeys;
  /** False if the table is empty: no query is needed. */
  #mayHoldRows = true;
  readonly #staged = new Map<string, QuarantinedMessage>();
  readonly #stagedByKey = new Map<string, Set<string>>();
  /** Staged messages that were claimed before, as they were then: from the table, or staged earlier in this batch. */
  readonly #requarantined = new Map<string, QuarantinedMessage>();
  /** Claimed messages. They are deleted only once their results are in the log. */
  readonly #claimed = new Map<string, QuarantinedMessage>();
  /** Fingerprints of claimed messages that are in the table. */
  readonly #claimedFromTable = new Set<string>();
  /** Messages that were quarantined again and flushed: they still have their old keys. */
  readonly #underOldKeys = new Map<string, QuarantinedMessage>();
  /** Owners of the claims that are in the database. */
  readonly #claimOwners = new Map<string, string>();
  /** Keys that flushes since the last confirmation made known, and the messages that were quarantined since then. */
  readonly #madeKnown = new Set<string>();
  readonly #recentlyStaged = new Set<string>();
  /** Of a sole writer: keys that this batch tries; and keys that count as tried with the next confirmation. */
  readonly #tryingKeys = new Set<string>();
  readonly #triedKeys = new Set<string>();
  /** Keys with messages that were not claimed: they stay untried. */
  readonly #leftKeys = new Set<string>();
  /** What is staged and not in the table yet. */
  #stagedSize = { messages: 0, bytes: 0 };
  /** What is in the table; undefined: not read yet. Another process's changes are seen in the next batch. */
  #storedSize: QuarantineSize | undefined;
  /** The counts in the database; undefined: not read yet. */
  #counts: readonly QuarantineCount[] | undefined;

  constructor(db: Kysely<IdentityTables>, runner: QueryRunner, isSoleWriter: boolean, reader: SqlQuarantineReader) {
    this.#db = db;
    this.#runner = runner;
    this.#isSoleWriter = isSoleWriter;
    this.#keys = new SqlQuarantineKeys(db, runner);
    this.#reader = reader;
  }

  async load(): Promise<void> {
    if (this.#isSoleWriter) this.#mayHoldRows = await this.#hasRows();
  }

  async #hasRows(): Promise<boolean> {
    const rows = await this.#runner.all(this.#db.selectFrom('quarantine').select('fingerprint').limit(1));
    return rows.length > 0;
  }

  /** False while the quarantine is certainly empty. */
  get mayHoldMessages(): boolean {
    return this.#mayHoldRows || this.#staged.size > 0;
  }

  /** Query steps that load whether stored messages wait for these keys. */
  *findKeysSteps(keys: Iterable<string>): QuerySteps<void> {
    if (this.#mayHoldRows) yield* this.#keys.findSteps(keys);
  }

  async findKeys(keys: readonly string[]): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    if (!this.mayHoldMessages) return found;
    const stored = this.#mayHoldRows ? await this.#storedKeys(keys) : new Set<string>();
    for (const key of keys) {
      if (this.#stagedByKey.has(key) || (stored.has(key) && (await this.#hasFreeMessage(key)))) found.add(key);
    }
    return found;
  }

  /** While the database is unavailable, waiting messages are missed. The regular retry of all keys finds them. */
  async #storedKeys(keys: readonly string[]): Promise<ReadonlySet<string>> {
    try {
      return await this.#keys.findAmong(keys);
    } catch (error) {
      if (this.#isSoleWriter || !(error instanceof UnavailableError)) throw error;
      return new Set();
    }
  }

  /** Whether a stored message that this batch has not claimed waits for the key. */
  async #hasFreeMessage(key: string): Promise<boolean> {
    const inProgress = this.#claimed.size + this.#requarantined.size;
    if (inProgress === 0) return true;
    const query = this.#db.selectFrom('quarantine_keys').select('fingerprint').distinct().where('key', '=', key);
    const rows = await this.#runner.all(query.limit(inProgress + 1));
    return rows.some(({ fingerprint }) => !this.#claimed.has(fingerprint) && !this.#requarantined.has(fingerprint));
  }

  async findQuarantined(fingerprints: readonly string[]): Promise<ReadonlySet<string>> {
    const found = new Set(fingerprints.filter((fingerprint) => this.#staged.has(fingerprint)));
    if (!this.#mayHoldRows) return found;
    const open = fingerprints.filter((fingerprint) => !found.has(fingerprint) && !this.#claimed.has(fingerprint));
    for (const { fingerprint } of await this.#reader.readRows(open)) found.add(fingerprint);
    return found;
  }

  /** A sole writer stores untried keys with each flush: the whole table may hold a million. */
  async listUntriedKeys(after: string | null, limit: number): Promise<readonly string[]> {
    if (!this.#isSoleWriter) return this.#reader.listKeys(after, limit);
    const all = this.#db.selectFrom('untried_keys').select('key').orderBy('key').limit(limit);
    const rows = await this.#runner.all(after === null ? all : all.where('key', '>', after));
    for (const { key } of rows) this.#triedKeys.add(key);
    return rows.map(({ key }) => key);
  }

  async listAbandonedKeys(now: number, limit: number): Promise<readonly string[]> {
    if (this.#isSoleWriter) return [];
    const rows = await this.#runner.all(
      this.#db
        .selectFrom('quarantine_claims')
        .innerJoin('quarantine_keys', 'quarantine_keys.fingerprint', 'quarantine_claims.fingerprint')
        .select('quarantine_keys.key')
        .distinct()
        .where('quarantine_claims.until', '<=', now)
        .limit(limit),
    );
    return rows.map(({ key }) => key);
  }

  add(waiting: QuarantinedMessage): void {
    const { fingerprint } = waiting;
    const before = this.#claimed.get(fingerprint);
    if (before) this.#requarantined.set(fingerprint, before);
    this.#claimed.delete(fingerprint);
    const isNew = !before && !this.#staged.has(fingerprint);
    this.#unstage(fingerprint);
    this.#staged.set(fingerprint, waiting);
    if (isNew) {
      this.#stagedSize.messages++;
      this.#stagedSize.bytes += quarantinedBytes(waiting.message);
    }
    for (const key of waiting.keys) {
      const set = this.#stagedByKey.get(key);
      if (set) set.add(fingerprint);
      else this.#stagedByKey.set(key, new Set([fingerprint]));
    }
  }

  #unstage(fingerprint: string): void {
    for (const key of this.#staged.get(fingerprint)?.keys ?? []) {
      const set = this.#stagedByKey.get(key);
      set?.delete(fingerprint);
      if (set?.size === 0) this.#stagedByKey.delete(key);
    }
    this.#staged.delete(fingerprint);
  }

  async claim(key: string, claim: QuarantineClaim): Promise<ClaimedMessages> {
    const { rows, next } = await this.#claimRows(key, claim);
    const messages = rows.map(readQuarantineRow);
    for (const { fingerprint } of rows) this.#claimedFromTable.add(fingerprint);
    if (this.#isSoleWriter && (messages.length > 0 || claim.after !== undefined)) this.#tryingKeys.add(key);
    for (const fingerprint of [...(this.#stagedByKey.get(key) ?? [])]) messages.push(this.#staged.get(fingerprint)!);
    for (const message of messages) {
      const { fingerprint } = message;
      this.#unstage(fingerprint);
      this.#claimed.set(fingerprint, this.#requarantined.get(fingerprint) ?? message);
      this.#requarantined.delete(fingerprint);
    }
    return { messages: messages.sort(compareByArrival), next };
  }

  async #claimRows(key: string, claim: QuarantineClaim): Promise<ClaimedRows> {
    if (!this.#mayHoldRows) return { rows: [], next: undefined };
    const { owner, now, until, limit = Number.POSITIVE_INFINITY, after = -1 } = claim;
    if (!this.#isSoleWriter) return this.#claimAll(key, { owner, now, until, limit, after });
    const free = (await this.#waitingFor(key, limit, after)).filter(({ fingerprint }) => this.#isFree(fingerprint));
    const places = new Map(free.slice(0, limit).map(({ fingerprint, rowid }) => [fingerprint, rowid]));
    const next = places.size < limit ? undefined : Math.max(...places.values());
    this.#noteLeft(key, next === undefined);
    const rows = await this.#reader.readRows([...places.keys()]);
    return { rows: rows.sort((a, b) => places.get(a.fingerprint)! - places.get(b.fingerprint)!), next };
  }

  #isFree(fingerprint: string): boolean {
    return !this.#claimed.has(fingerprint) && !this.#staged.has(fingerprint);
  }

  #noteLeft(key: string, isAll: boolean): void {
    if (isAll) this.#leftKeys.delete(key);
    else this.#leftKeys.add(key);
  }

  /** Claimed messages of this batch are included, since they are still in the table. */
  async #waitingFor(key: string, limit: number, after: number) {
    if (!(await this.#keys.findAmong([key])).has(key)) return [];
    const waiting = this.#db
      .selectFrom('quarantine_keys')
      .select(['fingerprint', 'rowid'])
      .where('key', '=', key)
      .where('rowid', '>', after)
      .orderBy('rowid');
    const inProgress = this.#claimed.size + this.#requarantined.size;
    return this.#runner.all(Number.isFinite(limit) ? waiting.limit(limit + inProgress) : waiting);
  }

  /** Until there are enough messages, or none is left: another process may claim the same ones at the same moment. */
  async #claimAll(key: string, claim: CompleteClaim): Promise<ClaimedRows> {
    const all = new Map<string, PlacedRow>();
    for (;;) {
      const { rows, isMore } = await this.#runner.read(() => this.#claimOnce(key, claim));
      for (const row of rows) if (this.#isFree(row.fingerprint)) all.set(row.fingerprint, row);
      if (isMore && all.size < claim.limit) continue;
      const places = [...all.values()].map(({ rowid }) => rowid);
      return { rows: [...all.values()], next: all.size < claim.limit ? undefined : Math.max(...places) };
    }
  }

  /** Claims in one statement: of two claimants, only one gets a message. */
  *#claimOnce(
    key: string,
    { owner, now, until, limit, after }: CompleteClaim,
  ): QuerySteps<{ rows: PlacedRow[]; isMore: boolean }> {
    const waiting = this.#db
      .selectFrom('quarantine_keys')
      .leftJoin('quarantine_claims', 'quarantine_claims.fingerprint', 'quarantine_keys.fingerprint')
      .where('quarantine_keys.key', '=', key)
      .where('quarantine_keys.rowid', '>', after);
    const free = waiting
      .select('quarantine_keys.fingerprint as fingerprint')
      .where((eb) =>
        eb.or([
          eb('quarantine_claims.owner', 'is', null),
          eb('quarantine_claims.until', '<=', now),
          eb('quarantine_claims.owner', '=', owner),
        ]),
      )
      .orderBy('quarantine_keys.rowid');
    // Messages that this batch has claimed are in the table too, and may be claimed again.
    const inProgress = this.#claimed.size + this.#requarantined.size;
    const claimQuery = this.#db
      .insertInto('quarantine_claims')
      .columns(['fingerprint', 'owner', 'until'])
      .expression((eb) =>
        eb
          .selectFrom((Number.isFinite(limit) ? free.limit(limit + inProgress) : free).as('free'))
          .select(({ cast, val }) => [
            'free.fingerprint',
            cast<string>(val(owner), 'text').as('owner'),
            cast<number>(val(until), 'bigint').as('until'),
          ])
          // SQLite takes `on conflict` after a query for a join, unless it has a condition.
          .where(({ lit }) => lit(true))
          .distinct(),
      )
      .onConflict((conflict) =>
        conflict
          .column('fingerprint')
          .doUpdateSet({ owner: (eb) => eb.ref('excluded.owner'), until: (eb) => eb.ref('excluded.until') })
          .where((eb) => eb.or([eb('quarantine_claims.until', '<=', now), eb('quarantine_claims.owner', '=', owner)])),
      )
      .returning('fingerprint');
    const ownClaims = waiting
      .select('quarantine_keys.fingerprint')
      .where('quarantine_claims.owner', '=', owner)
      .where('quarantine_claims.until', '=', until);
    const rows = this.#db
      .selectFrom('quarantine')
      .innerJoin('quarantine_keys', 'quarantine_keys.fingerprint', 'quarantine.fingerprint')
      .selectAll('quarantine')
      .select('quarantine_keys.rowid as rowid')
      .where('quarantine_keys.key', '=', key)
      .where('quarantine.fingerprint', 'in', ownClaims)
      .orderBy('quarantine_keys.rowid');
    const unclaimed = waiting
      .select('quarantine_keys.fingerprint')
      .where((eb) =>
        eb.or([
          eb('quarantine_claims.owner', 'is', null),
          eb.and([eb('quarantine_claims.until', '<=', now), eb('quarantine_claims.owner', '!=', owner)]),
        ]),
      );
    // In this order and with one answer: each query sees the result of the one before.
    const [claims, found, more] = (yield [claimQuery, rows, unclaimed.limit(1)]) as [
      { fingerprint: string }[],
      PlacedRow[],
      unknown[],
    ];
    for (const { fingerprint } of claims) this.#claimOwners.set(fingerprint, owner);
    const claimedNow = new Set(claims.map(({ fingerprint }) => fingerprint));
    return {
      rows: found.filter(({ fingerprint }) => claimedNow.has(fingerprint)),
      isMore: more.length > 0 && claims.length > 0,
    };
  }

  async counts(): Promise<readonly QuarantineCount[]> {
    if (this.#counts) return this.#counts;
    const rows = await this.#runner.all(this.#db.selectFrom('quarantine_counts').selectAll());
    const counts = rows.map(readQuarantineCount);
    if (this.#isSoleWriter) this.#counts = counts;
    return counts;
  }

  async size(): Promise<QuarantineSize> {
    this.#storedSize ??= await this.#readSize();
    return {
      messages: this.#storedSize.messages + this.#stagedSize.messages,
      bytes: this.#storedSize.bytes + this.#stagedSize.bytes,
    };
  }

  async #readSize(): Promise<QuarantineSize> {
    if (!this.#mayHoldRows) return { messages: 0, bytes: 0 };
    const [sum] = await this.#runner.all(
      this.#db
        .selectFrom('quarantine_counts')
        .select(({ fn }) => [
          fn.sum<number | null>('number').as('messages'),
          fn.sum<number | null>('bytes').as('bytes'),
        ]),
    );
    return { messages: Math.max(0, Number(sum!.messages ?? 0)), bytes: Math.max(0, Number(sum!.bytes ?? 0)) };
  }

  #forgetSize(): void {
    this.#stagedSize = { messages: 0, bytes: 0 };
    this.#storedSize = undefined;
  }

  get hasStagedChanges(): boolean {
    return this.#staged.size > 0 || this.#tryingKeys.size > 0;
  }

  /** The keys that staged messages wait for. */
  stagedKeys(): readonly string[] {
    return [...this.#stagedByKey.keys()];
  }

  /** Query steps of a flush: finds staged messages whose claim another owner has now. */
  *findLostClaimsSteps(): QuerySteps<string[]> {
    const lost: string[] = [];
    for (const chunk of chunks(
      this.#db,
      [...this.#requarantined.keys()].filter((fingerprint) => this.#claimOwners.has(fingerprint)),
    )) {
      const rows = yield* queryRows(
        this.#db
          .selectFrom('quarantine')
          .leftJoin('quarantine_claims', 'quarantine_claims.fingerprint', 'quarantine.fingerprint')
          .select(['quarantine.fingerprint as fingerprint', 'quarantine_claims.owner as owner'])
          .where('quarantine.fingerprint', 'in', chunk),
      );
      const owners = new Map(rows.map(({ fingerprint, owner }) => [fingerprint, owner]));
      for (const fingerprint of chunk) {
        const owner = owners.get(fingerprint);
        // No claim: a flush whose answer was lost has stored it.
        if (owner !== null && owner !== this.#claimOwners.get(fingerprint)) lost.push(fingerprint);
      }
    }
    return lost;
  }

  /** Query steps of a flush. */
  *writeSteps(): QuerySteps<void> {
    const counts = new QuarantineCountChanges();
    const staged = [...this.#staged.values()].filter(({ fingerprint }) => !this.#isAsStored(fingerprint));
    // A message that was also sent to another process may be stored already.
    const added = yield* insertQuarantined(this.#db, staged, counts);
    const again = [...this.#requarantined.keys()].filter(
      (fingerprint) => !added.has(fingerprint) && !this.#isAsStored(fingerprint),
    );
    yield* updateQuarantined(
      this.#db,
      again.map((fingerprint) => this.#staged.get(fingerprint)!),
      counts,
    );
    yield* updateQuarantineCounts(this.#db, counts);
    for (const chunk of chunks(
      this.#db,
      [...this.#tryingKeys].map((key) => ({ key })),
    )) {
      yield this.#db
        .insertInto('untried_keys')
        .values(chunk)
        .onConflict((conflict) => conflict.column('key').doNothing());
    }
  }

  /**
   * Whether a message that was tried again waits as before, which most do: nothing is written. Of several writers the
   * claim has to go.
   */
  #isAsStored(fingerprint: string): boolean {
    const before = this.#requarantined.get(fingerprint);
    if (!this.#isSoleWriter || !before || !this.#claimedFromTable.has(fingerprint)) return false;
    const [one, other] = [before, this.#staged.get(fingerprint)!].map(({ keys, reason, code, candidates, accepted }) =>
      JSON.stringify([keys, reason, code, candidates, accepted]),
    );
    return one === other;
  }

  /** Call it before the flush that makes these keys known. */
  noteKnownKeys(keys: readonly string[]): void {
    for (const key of keys) this.#madeKnown.add(key);
  }

  /** The keys that messages of other processes wait for. */
  *#keysOfOthers(keys: readonly string[]): QuerySteps<readonly string[]> {
    const found = new Set<string>();
    for (const chunk of chunks(this.#db, keys)) {
      const rows = yield* queryRows(this.#db.selectFrom('quarantine_keys').selectAll().where('key', 'in', chunk));
      for (const { key, fingerprint } of rows) if (!this.#recentlyStaged.has(fingerprint)) found.add(key);
    }
    return [...found];
  }

  markFlushed(): void {
    const keys = [...this.#stagedByKey.keys()];
    if (this.#staged.size > 0) {
      this.#mayHoldRows = true;
      this.#counts = undefined;
    }
    if (!this.#isSoleWriter) for (const fingerprint of this.#staged.keys()) this.#recentlyStaged.add(fingerprint);
    for (const fingerprint of this.#requarantined.keys())
      this.#underOldKeys.set(fingerprint, this.#staged.get(fingerprint)!);
    for (const key of this.#tryingKeys) this.#triedKeys.add(key);
    this.#tryingKeys.clear();
    this.#staged.clear();
    this.#stagedByKey.clear();
    this.#requarantined.clear();
    this.#forgetSize();
    this.#forgetKeys(keys);
  }

  /** This instance does not see what others quarantine, so it reads again in the next batch. */
  #forgetKeys(keys: Iterable<string>): void {
    if (this.#isSoleWriter) this.#keys.forget(keys);
    else this.#keys.forgetAll();
  }

  async confirmClaimed(): Promise<readonly string[]> {
    let removed: ConfirmResult = { keysToRetry: [], keys: [] };
    const inProgress = [this.#claimed, this.#underOldKeys, this.#claimOwners, this.#madeKnown, this.#triedKeys];
    if (inProgress.some(({ size }) => size > 0)) removed = await this.#runner.transact(() => this.#confirmSteps());
    this.#madeKnown.clear();
    this.#recentlyStaged.clear();
    this.#claimOwners.clear();
    this.#claimedFromTable.clear();
    this.#forgetKeys(removed.keys);
    this.#triedKeys.clear();
    this.#leftKeys.clear();
    this.#underOldKeys.clear();
    this.#forgetSize();
    if (this.#claimed.size > 0) {
      this.#claimed.clear();
      this.#counts = undefined;
      await this.load();
    }
    return removed.keysToRetry;
  }

  *#confirmSteps(): QuerySteps<ConfirmResult> {
    let keys: string[] = [];
    const counts = new QuarantineCountChanges();
    if (this.#isSoleWriter) keys = yield* deleteQuarantined(this.#db, [...this.#claimed.values()], counts);
    else {
      const ownClaims = yield* this.#ownClaims([...this.#claimOwners.keys()]);
      const claimed = ownClaims.flatMap((fingerprint) => this.#claimed.get(fingerprint) ?? []);
      yield* deleteQuarantined(this.#db, claimed, counts);
      // Claimed and quarantined again by this batch: the message keeps waiting.
      yield* this.#deleteClaims(ownClaims.filter((fingerprint) => !this.#claimed.has(fingerprint)));
    }
    yield* updateQuarantineCounts(this.#db, counts);
    for (const key of yield* deleteOldKeys(this.#db, [...this.#underOldKeys.values()])) keys.push(key);
    // Last of all: until now a crash makes the keys untried again.
    const tried = [...this.#triedKeys].filter((key) => !this.#leftKeys.has(key));
    for (const chunk of chunks(this.#db, tried)) yield this.#db.deleteFrom('untried_keys').where('key', 'in', chunk);
    return { keys, keysToRetry: yield* this.#keysOfOthers([...this.#madeKnown]) };
  }

  *#ownClaims(fingerprints: readonly string[]): QuerySteps<string[]> {
    const ownClaims: string[] = [];
    for (const chunk of chunks(this.#db, fingerprints)) {
      const rows = yield* queryRows(
        this.#db.selectFrom('quarantine_claims').selectAll().where('fingerprint', 'in', chunk),
      );
      for (const { fingerprint, owner } of rows)
        if (owner === this.#claimOwners.get(fingerprint)) ownClaims.push(fingerprint);
    }
    return ownClaims;
  }

  async reset(): Promise<void> {
    const claims = [...this.#claimOwners.keys()];
    this.#forgetSize();
    this.#keys.forgetAll();
    this.#staged.clear();
    this.#stagedByKey.clear();
    this.#requarantined.clear();
    this.#claimed.clear();
    this.#claimedFromTable.clear();
    this.#underOldKeys.clear();
    this.#tryingKeys.clear();
    this.#triedKeys.clear();
    this.#leftKeys.clear();
    if (claims.length === 0) return this.load();
    try {
      await this.#runner.transact(() => this.#release(claims));
    } catch (error) {
      // The claims expire by themselves. The rest goes with the next confirmation.
      if (error instanceof UnavailableError) return;
      throw error;
    }
    this.#claimOwners.clear();
  }

  *#release(claims: readonly string[]): QuerySteps<void> {
    yield* this.#deleteClaims(yield* this.#ownClaims(claims));
  }

  *#deleteClaims(fingerprints: readonly string[]): QuerySteps<void> {
    for (const chunk of chunks(this.#db, fingerprints))
      yield this.#db.deleteFrom('quarantine_claims').where('fingerprint', 'in', chunk);
  }
}
