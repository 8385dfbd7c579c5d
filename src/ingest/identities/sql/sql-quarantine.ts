import type { Kysely } from 'kysely';
import { UnavailableError } from '../../../domain/primitives/domain-errors.ts';
import { type QueryRunner, type QuerySteps, queryRows } from '../../../platform/sql/query-runner.ts';
import {
  compareByArrival,
  type QuarantineClaim,
  type QuarantineCount,
  type QuarantinedMessage,
} from '../identities.ts';
import { QuarantineCountChanges, readQuarantineCount } from '../quarantine-counts.ts';
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

/**
 * The quarantine in an SQL database, with the staged messages and claims of the current batch. For a sole writer,
 * claims are in memory only: a crash drops them, and the messages are free again. Memory does not grow with the number
 * of quarantined messages.
 */
export class SqlQuarantine {
  readonly #db: Kysely<IdentityTables>;
  readonly #runner: QueryRunner;
  readonly #isAlone: boolean;
  readonly #reader: SqlQuarantineReader;
  readonly #awaitedKeys: SqlQuarantineKeys;
  /** False if the table is empty: no query is needed. */
  #mayWait = true;
  readonly #parked = new Map<string, QuarantinedMessage>();
  readonly #parkedByKey = new Map<string, Set<string>>();
  /** Staged messages that were in the table before, as they were there. */
  readonly #parkedAgain = new Map<string, QuarantinedMessage>();
  /** Claimed messages. They are deleted only once their results are in the log. */
  readonly #taken = new Map<string, QuarantinedMessage>();
  /** Messages that were quarantined again and flushed: they still have their old keys. */
  readonly #wide = new Map<string, QuarantinedMessage>();
  /** Owners of the claims that are in the database. */
  readonly #marked = new Map<string, string>();
  /** Keys that flushes since the last confirmation made known, and the messages that were quarantined since then. */
  readonly #madeKnown = new Set<string>();
  readonly #parkedLately = new Set<string>();
  /** Of a sole writer: keys that this batch tries; and keys that count as tried with the next confirmation. */
  readonly #trying = new Set<string>();
  readonly #tried = new Set<string>();
  /** Keys with messages that were not claimed: they stay untried. */
  readonly #left = new Set<string>();
  /** The counts in the database; undefined: not read yet. */
  #numbers: readonly QuarantineCount[] | undefined;

  constructor(db: Kysely<IdentityTables>, runner: QueryRunner, isAlone: boolean, reader: SqlQuarantineReader) {
    this.#db = db;
    this.#runner = runner;
    this.#isAlone = isAlone;
    this.#awaitedKeys = new SqlQuarantineKeys(db, runner);
    this.#reader = reader;
  }

  async load(): Promise<void> {
    if (this.#isAlone) this.#mayWait = await this.#isAnyWaiting();
  }

  async #isAnyWaiting(): Promise<boolean> {
    const rows = await this.#runner.all(this.#db.selectFrom('waiting').select('fingerprint').limit(1));
    return rows.length > 0;
  }

  /** False while the quarantine is certainly empty. */
  get mayHoldMessages(): boolean {
    return this.#mayWait || this.#parked.size > 0;
  }

  /** Query steps that load whether stored messages wait for these keys. */
  *findKeysSteps(keys: Iterable<string>): QuerySteps<void> {
    if (this.#mayWait) yield* this.#awaitedKeys.findSteps(keys);
  }

  async findKeys(keys: readonly string[]): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    if (!this.mayHoldMessages) return found;
    const standing = this.#mayWait ? await this.#standing(keys) : new Set<string>();
    for (const key of keys) {
      if (this.#parkedByKey.has(key) || (standing.has(key) && (await this.#isFreeFor(key)))) found.add(key);
    }
    return found;
  }

  /** While the database is unavailable, waiting messages are missed. The regular retry of all keys finds them. */
  async #standing(keys: readonly string[]): Promise<ReadonlySet<string>> {
    try {
      return await this.#awaitedKeys.findAmong(keys);
    } catch (error) {
      if (this.#isAlone || !(error instanceof UnavailableError)) throw error;
      return new Set();
    }
  }

  /** Whether a stored message that this batch has not claimed waits for the key. */
  async #isFreeFor(key: string): Promise<boolean> {
    const inHand = this.#taken.size + this.#parkedAgain.size;
    if (inHand === 0) return true;
    const query = this.#db.selectFrom('waiting_keys').select('fingerprint').distinct().where('key', '=', key);
    const rows = await this.#runner.all(query.limit(inHand + 1));
    return rows.some(({ fingerprint }) => !this.#taken.has(fingerprint) && !this.#parkedAgain.has(fingerprint));
  }

  async findQuarantined(fingerprints: readonly string[]): Promise<ReadonlySet<string>> {
    const found = new Set(fingerprints.filter((fingerprint) => this.#parked.has(fingerprint)));
    if (!this.#mayWait) return found;
    const open = fingerprints.filter((fingerprint) => !found.has(fingerprint) && !this.#taken.has(fingerprint));
    for (const { fingerprint } of await this.#reader.readRows(open)) found.add(fingerprint);
    return found;
  }

  /** A sole writer stores untried keys with each flush: the whole table may hold a million. */
  async listUntriedKeys(after: string | null, limit: number): Promise<readonly string[]> {
    if (!this.#isAlone) return this.#reader.listKeys(after, limit);
    const all = this.#db.selectFrom('untried_keys').select('key').orderBy('key').limit(limit);
    const rows = await this.#runner.all(after === null ? all : all.where('key', '>', after));
    for (const { key } of rows) this.#tried.add(key);
    return rows.map(({ key }) => key);
  }

  add(waiting: QuarantinedMessage): void {
    const { fingerprint } = waiting;
    const before = this.#taken.get(fingerprint);
    if (before) this.#parkedAgain.set(fingerprint, before);
    this.#taken.delete(fingerprint);
    this.#unpark(fingerprint);
    this.#parked.set(fingerprint, waiting);
    for (const key of waiting.keys) {
      const set = this.#parkedByKey.get(key);
      if (set) set.add(fingerprint);
      else this.#parkedByKey.set(key, new Set([fingerprint]));
    }
  }

  #unpark(fingerprint: string): void {
    for (const key of this.#parked.get(fingerprint)?.keys ?? []) {
      const set = this.#parkedByKey.get(key);
      set?.delete(fingerprint);
      if (set?.size === 0) this.#parkedByKey.delete(key);
    }
    this.#parked.delete(fingerprint);
  }

  async claim(key: string, taking: QuarantineClaim): Promise<readonly QuarantinedMessage[]> {
    const taken = (await this.#takeRows(key, taking)).map(readQuarantineRow);
    if (taken.length > 0 && this.#isAlone) this.#trying.add(key);
    for (const fingerprint of [...(this.#parkedByKey.get(key) ?? [])]) taken.push(this.#parked.get(fingerprint)!);
    for (const message of taken) {
      const { fingerprint } = message;
      this.#unpark(fingerprint);
      this.#taken.set(fingerprint, this.#parkedAgain.get(fingerprint) ?? message);
      this.#parkedAgain.delete(fingerprint);
    }
    return taken.sort(compareByArrival);
  }

  async #takeRows(
    key: string,
    { owner, now, until, most = Number.POSITIVE_INFINITY }: QuarantineClaim,
  ): Promise<readonly QuarantineRow[]> {
    if (!this.#mayWait) return [];
    if (!this.#isAlone) return this.#markAll(key, { owner, now, until, most });
    const fingerprints = await this.#waitingFor(key, most);
    const free = fingerprints.filter((one) => this.#isFree(one)).slice(0, most);
    this.#note(key, free.length < most);
    const rows = await this.#reader.readRows(free);
    // In the order of arrival, which is the order of the key rows.
    const place = new Map(free.map((fingerprint, index) => [fingerprint, index]));
    return rows.sort((a, b) => place.get(a.fingerprint)! - place.get(b.fingerprint)!);
  }

  #isFree(fingerprint: string): boolean {
    return !this.#taken.has(fingerprint) && !this.#parked.has(fingerprint);
  }

  #note(key: string, isAll: boolean): void {
    if (isAll) this.#left.delete(key);
    else this.#left.add(key);
  }

  /** Claimed messages of this batch are included, since they are still in the table. */
  async #waitingFor(key: string, most: number): Promise<readonly string[]> {
    if (!(await this.#awaitedKeys.findAmong([key])).has(key)) return [];
    const all = this.#db.selectFrom('waiting_keys').select('fingerprint').distinct().where('key', '=', key);
    const inHand = this.#taken.size + this.#parkedAgain.size;
    const rows = await this.#runner.all(Number.isFinite(most) ? all.limit(most + inHand) : all);
    return [...new Set(rows.map(({ fingerprint }) => fingerprint))];
  }

  /** Until there are enough messages, or none is left: another process may claim the same ones at the same moment. */
  async #markAll(key: string, taking: Required<QuarantineClaim>): Promise<readonly QuarantineRow[]> {
    const all: QuarantineRow[] = [];
    for (;;) {
      const { rows, isMore } = await this.#runner.read(() => this.#mark(key, taking));
      for (const row of rows) if (this.#isFree(row.fingerprint)) all.push(row);
      if (!isMore || all.length >= taking.most) return all;
    }
  }

  /** Claims in one statement: of two claimants, only one gets a message. */
  *#mark(
    key: string,
    { owner, now, until, most }: Required<QuarantineClaim>,
  ): QuerySteps<{ rows: QuarantineRow[]; isMore: boolean }> {
    const waiting = this.#db
      .selectFrom('waiting_keys')
      .leftJoin('taken', 'taken.fingerprint', 'waiting_keys.fingerprint')
      .where('waiting_keys.key', '=', key);
    const free = waiting
      .select((eb) => [
        'waiting_keys.fingerprint as fingerprint',
        eb.cast<string>(eb.val(owner), 'text').as('owner'),
        eb.cast<number>(eb.val(until), 'bigint').as('until'),
      ])
      .where((eb) =>
        eb.or([eb('taken.owner', 'is', null), eb('taken.until', '<=', now), eb('taken.owner', '=', owner)]),
      )
      .distinct();
    // Messages that this batch has claimed are in the table too, and may be claimed again.
    const inHand = this.#taken.size + this.#parkedAgain.size;
    const mark = this.#db
      .insertInto('taken')
      .columns(['fingerprint', 'owner', 'until'])
      .expression(Number.isFinite(most) ? free.limit(most + inHand) : free)
      .onConflict((conflict) =>
        conflict
          .column('fingerprint')
          .doUpdateSet({ owner: (eb) => eb.ref('excluded.owner'), until: (eb) => eb.ref('excluded.until') })
          .where((eb) => eb.or([eb('taken.until', '<=', now), eb('taken.owner', '=', owner)])),
      )
      .returning('fingerprint');
    const own = waiting
      .select('waiting_keys.fingerprint')
      .where('taken.owner', '=', owner)
      .where('taken.until', '=', until);
    const rows = this.#db.selectFrom('waiting').selectAll().where('fingerprint', 'in', own);
    const left = waiting
      .select('waiting_keys.fingerprint')
      .where((eb) =>
        eb.or([eb('taken.owner', 'is', null), eb.and([eb('taken.until', '<=', now), eb('taken.owner', '!=', owner)])]),
      );
    // In this order and with one answer: each query sees the result of the one before.
    const [marked, found, more] = (yield [mark, rows, left.limit(1)]) as [
      { fingerprint: string }[],
      QuarantineRow[],
      unknown[],
    ];
    for (const { fingerprint } of marked) this.#marked.set(fingerprint, owner);
    const just = new Set(marked.map(({ fingerprint }) => fingerprint));
    return {
      rows: found.filter(({ fingerprint }) => just.has(fingerprint)),
      isMore: more.length > 0 && marked.length > 0,
    };
  }

  async counts(): Promise<readonly QuarantineCount[]> {
    if (this.#numbers) return this.#numbers;
    const rows = await this.#runner.all(this.#db.selectFrom('waiting_numbers').selectAll());
    const numbers = rows.map(readQuarantineCount);
    if (this.#isAlone) this.#numbers = numbers;
    return numbers;
  }

  get hasStagedChanges(): boolean {
    return this.#parked.size > 0 || this.#trying.size > 0;
  }

  /** The keys that staged messages wait for. */
  stagedKeys(): readonly string[] {
    return [...this.#parkedByKey.keys()];
  }

  /** Query steps of a flush: finds staged messages whose claim another owner has now. */
  *findLostClaimsSteps(): QuerySteps<string[]> {
    const lost: string[] = [];
    for (const piece of chunks(
      this.#db,
      [...this.#parkedAgain.keys()].filter((fingerprint) => this.#marked.has(fingerprint)),
    )) {
      const rows = yield* queryRows(
        this.#db
          .selectFrom('waiting')
          .leftJoin('taken', 'taken.fingerprint', 'waiting.fingerprint')
          .select(['waiting.fingerprint as fingerprint', 'taken.owner as owner'])
          .where('waiting.fingerprint', 'in', piece),
      );
      const owners = new Map(rows.map(({ fingerprint, owner }) => [fingerprint, owner]));
      for (const fingerprint of piece) {
        const owner = owners.get(fingerprint);
        // No claim: a flush whose answer was lost has stored it.
        if (owner !== null && owner !== this.#marked.get(fingerprint)) lost.push(fingerprint);
      }
    }
    return lost;
  }

  /** Query steps of a flush. */
  *writeSteps(): QuerySteps<void> {
    const numbers = new QuarantineCountChanges();
    // A message that was also sent to another process may be stored already.
    const added = yield* insertQuarantined(this.#db, [...this.#parked.values()], numbers);
    const again = [...this.#parkedAgain.keys()].filter((fingerprint) => !added.has(fingerprint));
    yield* updateQuarantined(
      this.#db,
      again.map((fingerprint) => this.#parked.get(fingerprint)!),
      numbers,
    );
    yield* updateQuarantineCounts(this.#db, numbers);
    for (const piece of chunks(
      this.#db,
      [...this.#trying].map((key) => ({ key })),
    )) {
      yield this.#db
        .insertInto('untried_keys')
        .values(piece)
        .onConflict((conflict) => conflict.column('key').doNothing());
    }
  }

  /** Call it before the flush that makes these keys known. */
  noteKnownKeys(keys: readonly string[]): void {
    for (const key of keys) this.#madeKnown.add(key);
  }

  /** The keys that messages of other processes wait for. */
  *#waitingElsewhere(keys: readonly string[]): QuerySteps<readonly string[]> {
    const found = new Set<string>();
    for (const piece of chunks(this.#db, keys)) {
      const rows = yield* queryRows(this.#db.selectFrom('waiting_keys').selectAll().where('key', 'in', piece));
      for (const { key, fingerprint } of rows) if (!this.#parkedLately.has(fingerprint)) found.add(key);
    }
    return [...found];
  }

  markFlushed(): void {
    const keys = [...this.#parkedByKey.keys()];
    if (this.#parked.size > 0) {
      this.#mayWait = true;
      this.#numbers = undefined;
    }
    if (!this.#isAlone) for (const fingerprint of this.#parked.keys()) this.#parkedLately.add(fingerprint);
    for (const fingerprint of this.#parkedAgain.keys()) this.#wide.set(fingerprint, this.#parked.get(fingerprint)!);
    for (const key of this.#trying) this.#tried.add(key);
    this.#trying.clear();
    this.#parked.clear();
    this.#parkedByKey.clear();
    this.#parkedAgain.clear();
    this.#forget(keys);
  }

  /** This instance does not see what others quarantine, so it reads again in the next batch. */
  #forget(keys: Iterable<string>): void {
    if (this.#isAlone) this.#awaitedKeys.forget(keys);
    else this.#awaitedKeys.forgetAll();
  }

  async confirmClaimed(): Promise<readonly string[]> {
    let removed: ConfirmResult = { keysToRetry: [], keys: [] };
    const inHand = [this.#taken, this.#wide, this.#marked, this.#madeKnown, this.#tried];
    if (inHand.some(({ size }) => size > 0)) removed = await this.#runner.transact(() => this.#remove());
    this.#madeKnown.clear();
    this.#parkedLately.clear();
    this.#marked.clear();
    this.#forget(removed.keys);
    this.#tried.clear();
    this.#left.clear();
    this.#wide.clear();
    if (this.#taken.size > 0) {
      this.#taken.clear();
      this.#numbers = undefined;
      await this.load();
    }
    return removed.keysToRetry;
  }

  *#remove(): QuerySteps<ConfirmResult> {
    let keys: string[] = [];
    const numbers = new QuarantineCountChanges();
    if (this.#isAlone) keys = yield* deleteQuarantined(this.#db, [...this.#taken.values()], numbers);
    else {
      const own = yield* this.#own([...this.#marked.keys()]);
      const taken = own.flatMap((fingerprint) => this.#taken.get(fingerprint) ?? []);
      yield* deleteQuarantined(this.#db, taken, numbers);
      // Claimed and quarantined again by this batch: the message keeps waiting.
      yield* this.#unmark(own.filter((fingerprint) => !this.#taken.has(fingerprint)));
    }
    yield* updateQuarantineCounts(this.#db, numbers);
    for (const key of yield* deleteOldKeys(this.#db, [...this.#wide.values()])) keys.push(key);
    // Last of all: until now a crash makes the keys untried again.
    const tried = [...this.#tried].filter((key) => !this.#left.has(key));
    for (const piece of chunks(this.#db, tried)) yield this.#db.deleteFrom('untried_keys').where('key', 'in', piece);
    return { keys, keysToRetry: yield* this.#waitingElsewhere([...this.#madeKnown]) };
  }

  *#own(fingerprints: readonly string[]): QuerySteps<string[]> {
    const own: string[] = [];
    for (const piece of chunks(this.#db, fingerprints)) {
      const rows = yield* queryRows(this.#db.selectFrom('taken').selectAll().where('fingerprint', 'in', piece));
      for (const { fingerprint, owner } of rows) if (owner === this.#marked.get(fingerprint)) own.push(fingerprint);
    }
    return own;
  }

  async reset(): Promise<void> {
    const marked = [...this.#marked.keys()];
    this.#awaitedKeys.forgetAll();
    this.#parked.clear();
    this.#parkedByKey.clear();
    this.#parkedAgain.clear();
    this.#taken.clear();
    this.#wide.clear();
    this.#trying.clear();
    this.#tried.clear();
    this.#left.clear();
    if (marked.length === 0) return this.load();
    try {
      await this.#runner.transact(() => this.#release(marked));
    } catch (error) {
      // The claims expire by themselves. The rest goes with the next confirmation.
      if (error instanceof UnavailableError) return;
      throw error;
    }
    this.#marked.clear();
  }

  *#release(marked: readonly string[]): QuerySteps<void> {
    yield* this.#unmark(yield* this.#own(marked));
  }

  *#unmark(fingerprints: readonly string[]): QuerySteps<void> {
    for (const piece of chunks(this.#db, fingerprints))
      yield this.#db.deleteFrom('taken').where('fingerprint', 'in', piece);
  }
}
