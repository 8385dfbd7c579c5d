import type { Kysely } from 'kysely';
import type { QueryRunner } from '../../../platform/sql/query-runner.ts';
import type { EntityKind } from '../identity-key.ts';
import type { IdentityTables } from './identity-tables.ts';

/**
 * Ids from counters in a table. A sole writer counts in memory and stores the counters with its next flush, so that its
 * ids have no gaps. Other instances reserve blocks in the table, and lose the rest of a block when they end.
 */
export class SqlIdAllocator {
  readonly #db: Kysely<IdentityTables>;
  readonly #runner: QueryRunner;
  readonly #isSoleWriter: boolean;
  readonly #block: number;
  /** The ids that this instance may allocate, per kind: from `next` to before `end`. */
  readonly #ranges = new Map<EntityKind, { next: number; end: number }>();
  readonly #changedKinds = new Set<EntityKind>();
  /** The first id of each kind that was allocated since the last flush or reset, and the end of its range. */
  readonly #firstUnflushed = new Map<EntityKind, { readonly next: number; readonly end: number }>();

  constructor(db: Kysely<IdentityTables>, runner: QueryRunner, isSoleWriter: boolean, block: number) {
    this.#db = db;
    this.#runner = runner;
    this.#isSoleWriter = isSoleWriter;
    this.#block = block;
  }

  async load(): Promise<void> {
    if (!this.#isSoleWriter) return;
    const counters = await this.#runner.all(this.#db.selectFrom('id_counters').selectAll());
    for (const { kind, next } of counters) {
      this.#ranges.set(kind as EntityKind, { next: Number(next), end: Number.POSITIVE_INFINITY });
    }
  }

  async allocate(kind: EntityKind, count: number): Promise<readonly number[]> {
    let range = this.#ranges.get(kind);
    if (!range) {
      range = { next: 1, end: this.#isSoleWriter ? Number.POSITIVE_INFINITY : 1 };
      this.#ranges.set(kind, range);
    }
    if (this.#isSoleWriter) this.#changedKinds.add(kind);
    const ids: number[] = [];
    while (ids.length < count) {
      if (range.next >= range.end) {
        const size = Math.max(count - ids.length, this.#block);
        const end = await this.#reserve(kind, size);
        range.next = end - size;
        range.end = end;
      }
      if (!this.#firstUnflushed.has(kind)) this.#firstUnflushed.set(kind, { ...range });
      ids.push(range.next++);
    }
    return ids;
  }

  /** In one statement, so that two processes never get the same ids. Durable before any id is used. */
  async #reserve(kind: EntityKind, size: number): Promise<number> {
    const [row] = await this.#runner.all(
      this.#db
        .insertInto('id_counters')
        .values({ kind, next: 1 + size })
        .onConflict((conflict) =>
          conflict.column('kind').doUpdateSet({ next: (eb) => eb('id_counters.next', '+', size) }),
        )
        .returning('next'),
    );
    return Number(row!.next);
  }

  async count(kind: EntityKind): Promise<number> {
    const [row] = await this.#runner.all(this.#db.selectFrom('id_counters').select('next').where('kind', '=', kind));
    return row ? Number(row.next) - 1 : 0;
  }

  /** Writes of counters that are not durable yet. A counter never goes back. */
  stagedCounters() {
    return [...this.#changedKinds].map((kind) =>
      this.#db
        .insertInto('id_counters')
        .values({ kind, next: this.#ranges.get(kind)!.next })
        .onConflict((conflict) =>
          conflict
            .column('kind')
            .doUpdateSet({ next: (eb) => eb.ref('excluded.next') })
            .whereRef('id_counters.next', '<', 'excluded.next'),
        ),
    );
  }

  markFlushed(): void {
    this.#changedKinds.clear();
    this.#firstUnflushed.clear();
  }

  /** Allocates what was allocated since the last flush or reset once more. Of a block that ended the rest is lost. */
  giveBack(): void {
    for (const [kind, { next, end }] of this.#firstUnflushed) {
      const range = this.#ranges.get(kind)!;
      if (range.end === end) range.next = next;
    }
    this.#firstUnflushed.clear();
  }

  /** Ids that were allocated may be in the log since a flush or an append whose answer was lost. */
  reset(): void {
    this.#firstUnflushed.clear();
  }
}
