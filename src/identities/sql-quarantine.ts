import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import { type QueryRunner, rowsOf, type Steps } from '../sqlite/query-runner.ts';
import { type Filled, gap, template } from '../sqlite/query-template.ts';
import { byArrival, type Taking, type WaitingMessage } from './identities.ts';
import type { IdentityTables } from './identity-tables.ts';
import { pieces } from './pieces.ts';
import { forgetWaiting, readWaiting, writeWaiting } from './sql-waiting-rows.ts';

/** Keys of which it is known what waits for them. */
const KEYS_KEPT = 30_000;

/**
 * What waits, in an SQL database, with what a batch has parked and taken and not flushed or confirmed yet. Where
 * nobody else writes, what is taken is marked in memory only: a crash forgets it, and it waits again.
 */
export class SqlQuarantine {
  readonly #db: Kysely<IdentityTables>;
  readonly #runner: QueryRunner;
  readonly #isAlone: boolean;
  /** Fingerprints in the database, by the key that they wait for. */
  readonly #waiting = new LRUCache<string, readonly string[]>({ max: KEYS_KEPT });
  /** False: the table is empty, and it need not be asked. */
  #mayWait = true;
  readonly #parked = new Map<string, WaitingMessage>();
  readonly #parkedByKey = new Map<string, Set<string>>();
  /** Those of the parked that stood in the table before, with the keys that they waited for there. */
  readonly #parkedAgain = new Map<string, readonly string[]>();
  /** Taken, with the keys that they waited for. They are removed only when what became of them is in the log. */
  readonly #taken = new Map<string, readonly string[]>();
  /** Owners of what is marked in the database. */
  readonly #marked = new Map<string, string>();
  /** Keys of what was flushed and not confirmed yet, and the messages that were parked knowing of it. */
  readonly #madeKnown = new Set<string>();
  readonly #parkedLately = new Set<string>();
  /** Asked for each message that is parked or taken, mostly one at a time: building it takes longer than running it. */
  readonly #waitingById: (values: { fingerprint: string }) => Filled<IdentityTables['waiting']>;

  constructor(db: Kysely<IdentityTables>, runner: QueryRunner, isAlone: boolean) {
    this.#db = db;
    this.#runner = runner;
    this.#isAlone = isAlone;
    this.#waitingById = template(
      db.selectFrom('waiting').selectAll().where('fingerprint', '=', gap<string>('fingerprint')),
    );
  }

  async load(): Promise<void> {
    if (this.#isAlone) this.#mayWait = await this.#isAnyWaiting();
  }

  async #isAnyWaiting(): Promise<boolean> {
    const rows = await this.#runner.all(this.#db.selectFrom('waiting').select('fingerprint').limit(1));
    return rows.length > 0;
  }

  /** False while it is certain that nothing waits. */
  get mayWait(): boolean {
    return this.#mayWait || this.#parked.size > 0;
  }

  async prefetch(keys: Iterable<string>): Promise<void> {
    if (!this.#mayWait) return;
    const missing = [...new Set(keys)].filter((key) => !this.#waiting.has(key));
    for (const piece of pieces(missing)) {
      const found = new Map<string, string[]>(piece.map((key) => [key, []]));
      const rows = await this.#runner.all(this.#db.selectFrom('waiting_keys').selectAll().where('key', 'in', piece));
      for (const { key, fingerprint } of rows) found.get(key)!.push(fingerprint);
      for (const [key, fingerprints] of found) this.#waiting.set(key, fingerprints);
    }
  }

  async awaited(keys: readonly string[]): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    if (!this.mayWait) return found;
    await this.prefetch(keys);
    const waits = (fingerprint: string) => !this.#taken.has(fingerprint) && !this.#parkedAgain.has(fingerprint);
    for (const key of keys) {
      if (this.#parkedByKey.has(key) || this.#waiting.get(key)?.some(waits)) found.add(key);
    }
    return found;
  }

  async isWaiting(fingerprints: readonly string[]): Promise<ReadonlySet<string>> {
    const found = new Set(fingerprints.filter((fingerprint) => this.#parked.has(fingerprint)));
    if (!this.#mayWait) return found;
    const open = fingerprints.filter((fingerprint) => !found.has(fingerprint) && !this.#taken.has(fingerprint));
    for (const { fingerprint } of await this.#rowsOf(open)) found.add(fingerprint);
    return found;
  }

  async awaitedKeys(after: string | null, limit: number): Promise<readonly string[]> {
    const all = this.#db.selectFrom('waiting_keys').select('key').distinct().orderBy('key').limit(limit);
    const rows = await this.#runner.all(after === null ? all : all.where('key', '>', after));
    return rows.map(({ key }) => key);
  }

  park(waiting: WaitingMessage): void {
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

  async take(key: string, taking: Taking): Promise<readonly WaitingMessage[]> {
    const taken = (await this.#takeRows(key, taking)).map(readWaiting);
    for (const fingerprint of [...(this.#parkedByKey.get(key) ?? [])]) taken.push(this.#parked.get(fingerprint)!);
    for (const { fingerprint, keys } of taken) {
      this.#unpark(fingerprint);
      this.#taken.set(fingerprint, [...keys, ...(this.#parkedAgain.get(fingerprint) ?? [])]);
      this.#parkedAgain.delete(fingerprint);
    }
    return taken.sort(byArrival);
  }

  async #takeRows(key: string, { owner, now, until }: Taking): Promise<readonly IdentityTables['waiting'][]> {
    if (!this.#mayWait) return [];
    const fingerprints = this.#isAlone ? await this.#waitingFor(key) : await this.#mark(key, { owner, now, until });
    const free = fingerprints.filter((one) => !this.#taken.has(one) && !this.#parked.has(one));
    const rows = await this.#rowsOf(free);
    // As they came in: that is the order of the keys' rows.
    const place = new Map(free.map((fingerprint, index) => [fingerprint, index]));
    return rows.sort((a, b) => place.get(a.fingerprint)! - place.get(b.fingerprint)!);
  }

  async #rowsOf(fingerprints: readonly string[]): Promise<IdentityTables['waiting'][]> {
    const rows: IdentityTables['waiting'][] = [];
    for (const piece of pieces(fingerprints)) {
      const query =
        piece.length === 1
          ? this.#waitingById({ fingerprint: piece[0]! })
          : this.#db.selectFrom('waiting').selectAll().where('fingerprint', 'in', piece);
      rows.push(...(await this.#runner.all(query)));
    }
    return rows;
  }

  async #waitingFor(key: string): Promise<readonly string[]> {
    await this.prefetch([key]);
    return [...new Set(this.#waiting.get(key))];
  }

  /** In one statement: of two who take, one gets it. */
  async #mark(key: string, { owner, now, until }: Taking): Promise<readonly string[]> {
    const rows = await this.#runner.all(
      this.#db
        .insertInto('taken')
        .columns(['fingerprint', 'owner', 'until'])
        .expression(
          this.#db
            .selectFrom('waiting_keys')
            .select((eb) => [
              'fingerprint',
              eb.cast<string>(eb.val(owner), 'text').as('owner'),
              eb.cast<number>(eb.val(until), 'bigint').as('until'),
            ])
            .where('key', '=', key)
            .distinct(),
        )
        .onConflict((conflict) =>
          conflict
            .column('fingerprint')
            .doUpdateSet({ owner: (eb) => eb.ref('excluded.owner'), until: (eb) => eb.ref('excluded.until') })
            .where((eb) => eb.or([eb('taken.until', '<=', now), eb('taken.owner', '=', owner)])),
        )
        .returning('fingerprint'),
    );
    for (const { fingerprint } of rows) this.#marked.set(fingerprint, owner);
    return rows.map(({ fingerprint }) => fingerprint);
  }

  async list(limit: number): Promise<readonly WaitingMessage[]> {
    // Without its Z a whole second, which is written without milliseconds, sorts before those in it.
    const rows = await this.#runner.all(
      this.#db
        .selectFrom('waiting')
        .selectAll()
        .orderBy((eb) => eb.fn<string>('replace', ['received_at', eb.val('Z'), eb.val('')]))
        .limit(limit),
    );
    return rows.map(readWaiting);
  }

  /** Whether a message of another source waits. */
  async hasOther(source: string): Promise<boolean> {
    const page = this.#db.selectFrom('waiting').select(['fingerprint', 'message']).orderBy('fingerprint').limit(500);
    for (let after = ''; ; ) {
      const rows = await this.#runner.all(page.where('fingerprint', '>', after));
      if (rows.some(({ message }) => (JSON.parse(message) as { source?: unknown }).source !== source)) return true;
      if (rows.length < 500) return false;
      after = rows.at(-1)!.fingerprint;
    }
  }

  get isStaged(): boolean {
    return this.#parked.size > 0;
  }

  /** What the parked messages wait for. */
  parkedKeys(): readonly string[] {
    return [...this.#parkedByKey.keys()];
  }

  /** Steps of a flush: those of the messages that are parked again and that another owner has now. */
  *lost(): Steps<string[]> {
    const lost: string[] = [];
    for (const piece of pieces([...this.#parkedAgain.keys()].filter((fingerprint) => this.#marked.has(fingerprint)))) {
      const rows = yield* rowsOf(
        this.#db
          .selectFrom('waiting')
          .leftJoin('taken', 'taken.fingerprint', 'waiting.fingerprint')
          .select(['waiting.fingerprint as fingerprint', 'taken.owner as owner'])
          .where('waiting.fingerprint', 'in', piece),
      );
      const owners = new Map(rows.map(({ fingerprint, owner }) => [fingerprint, owner]));
      for (const fingerprint of piece) {
        const owner = owners.get(fingerprint);
        // No mark: a flush whose answer was lost has parked it.
        if (owner !== null && owner !== this.#marked.get(fingerprint)) lost.push(fingerprint);
      }
    }
    return lost;
  }

  /** Steps of a flush. */
  *write(): Steps<void> {
    // One that waits again may wait for something else now.
    yield* forgetWaiting(this.#db, [...this.#parkedAgain.keys()]);
    const written = new Set<string>();
    for (const piece of pieces([...this.#parked.values()])) {
      const rows = yield* rowsOf(
        this.#db
          .insertInto('waiting')
          .values(piece.map(writeWaiting))
          .onConflict((conflict) => conflict.column('fingerprint').doNothing())
          .returning('fingerprint'),
      );
      for (const { fingerprint } of rows) written.add(fingerprint);
    }
    // The same message, sent to another process too, waits already.
    const keys = [...this.#parked.values()]
      .filter(({ fingerprint }) => written.has(fingerprint))
      .flatMap(({ fingerprint, keys: awaited }) => awaited.map((key) => ({ key, fingerprint })));
    for (const piece of pieces(keys)) yield this.#db.insertInto('waiting_keys').values(piece);
  }

  /** Told before the flush that makes it known. */
  becomesKnown(keys: readonly string[]): void {
    for (const key of keys) this.#madeKnown.add(key);
  }

  /** Those of the keys that others' messages wait for. */
  *#waitingElsewhere(keys: readonly string[]): Steps<readonly string[]> {
    const found = new Set<string>();
    for (const piece of pieces(keys)) {
      const rows = yield* rowsOf(this.#db.selectFrom('waiting_keys').selectAll().where('key', 'in', piece));
      for (const { key, fingerprint } of rows) if (!this.#parkedLately.has(fingerprint)) found.add(key);
    }
    return [...found];
  }

  flushed(): void {
    const changed = [...[...this.#parked.values()].map(({ keys }) => keys), ...this.#parkedAgain.values()].flat();
    if (this.#parked.size > 0) this.#mayWait = true;
    if (!this.#isAlone) for (const fingerprint of this.#parked.keys()) this.#parkedLately.add(fingerprint);
    this.#parked.clear();
    this.#parkedByKey.clear();
    this.#parkedAgain.clear();
    this.#forget(changed);
  }

  /** What others park is not told to this one: it looks again in the next batch. */
  #forget(keys: Iterable<string>): void {
    if (!this.#isAlone) this.#waiting.clear();
    else for (const key of keys) this.#waiting.delete(key);
  }

  async confirm(): Promise<readonly string[]> {
    let told: readonly string[] = [];
    if (this.#taken.size > 0 || this.#marked.size > 0 || this.#madeKnown.size > 0) {
      told = await this.#runner.transact(() => this.#remove());
    }
    this.#madeKnown.clear();
    this.#parkedLately.clear();
    this.#marked.clear();
    if (this.#taken.size > 0) {
      this.#forget([...this.#taken.values()].flat());
      this.#taken.clear();
      await this.load();
    }
    return told;
  }

  *#remove(): Steps<readonly string[]> {
    if (this.#isAlone) yield* forgetWaiting(this.#db, [...this.#taken.keys()]);
    else {
      const own = yield* this.#own([...this.#marked.keys()]);
      yield* forgetWaiting(
        this.#db,
        own.filter((fingerprint) => this.#taken.has(fingerprint)),
      );
      // Marked, and parked by this batch itself: it waits on.
      yield* this.#unmark(own.filter((fingerprint) => !this.#taken.has(fingerprint)));
    }
    return yield* this.#waitingElsewhere([...this.#madeKnown]);
  }

  *#own(fingerprints: readonly string[]): Steps<string[]> {
    const own: string[] = [];
    for (const piece of pieces(fingerprints)) {
      const rows = yield* rowsOf(this.#db.selectFrom('taken').selectAll().where('fingerprint', 'in', piece));
      for (const { fingerprint, owner } of rows) if (owner === this.#marked.get(fingerprint)) own.push(fingerprint);
    }
    return own;
  }

  async reset(): Promise<void> {
    const marked = [...this.#marked.keys()];
    this.#waiting.clear();
    this.#parked.clear();
    this.#parkedByKey.clear();
    this.#parkedAgain.clear();
    this.#taken.clear();
    if (marked.length > 0) await this.#runner.transact(() => this.#release(marked));
    this.#marked.clear();
    await this.load();
  }

  *#release(marked: readonly string[]): Steps<void> {
    yield* this.#unmark(yield* this.#own(marked));
  }

  *#unmark(fingerprints: readonly string[]): Steps<void> {
    for (const piece of pieces(fingerprints)) yield this.#db.deleteFrom('taken').where('fingerprint', 'in', piece);
  }
}
