import type { Kysely } from 'kysely';
import type { QueryRunner } from '../../../platform/sql/query-runner.ts';
import { compileTemplate, type FilledQuery, placeholder } from '../../../platform/sql/query-template.ts';
import type { QuarantineCount, QuarantinedMessage } from '../identities.ts';
import { readQuarantineCount } from '../quarantine-counts.ts';
import { DISMISSED_PREFIX } from '../waiting-groups.ts';
import { countQuarantineRows, type IdentityTables, NOT_DISMISSED, readQuarantineRow } from './identity-tables.ts';
import { chunks } from './sql-chunks.ts';

/** Messages per read, when all messages are read. */
const READ_AT_ONCE = 256;

/** Reads the quarantine in the database: perhaps a million messages. */
export class SqlQuarantineReader {
  readonly #db: Kysely<IdentityTables>;
  readonly #runner: QueryRunner;
  /**
   * Used for each message that is quarantined or claimed, mostly one at a time: building the query takes longer than
   * running it.
   */
  readonly #rowById: (values: { fingerprint: string }) => FilledQuery<IdentityTables['quarantine']>;

  constructor(db: Kysely<IdentityTables>, runner: QueryRunner) {
    this.#db = db;
    this.#runner = runner;
    this.#rowById = compileTemplate(
      db.selectFrom('quarantine').selectAll().where('fingerprint', '=', placeholder<string>('fingerprint')),
    );
  }

  async listKeys(after: string | null, limit: number): Promise<readonly string[]> {
    const all = this.#db.selectFrom('quarantine_keys').select('key').distinct().orderBy('key').limit(limit);
    const rows = await this.#runner.all(after === null ? all : all.where('key', '>', after));
    return rows.map(({ key }) => key);
  }

  async readRows(fingerprints: readonly string[]): Promise<IdentityTables['quarantine'][]> {
    const rows: IdentityTables['quarantine'][] = [];
    for (const chunk of chunks(this.#db, fingerprints)) {
      const query =
        chunk.length === 1
          ? this.#rowById({ fingerprint: chunk[0]! })
          : this.#db.selectFrom('quarantine').selectAll().where('fingerprint', 'in', chunk);
      rows.push(...(await this.#runner.all(query)));
    }
    return rows;
  }

  /** Without the Z, a whole second (written without milliseconds) sorts before the later times of that second. */
  #oldestFirst() {
    return this.#db
      .selectFrom('quarantine')
      .where('awaited', 'not like', NOT_DISMISSED)
      .orderBy((eb) => eb.fn<string>('replace', ['received_at', eb.val('Z'), eb.val('')]));
  }

  async list(limit: number): Promise<readonly QuarantinedMessage[]> {
    return (await this.#runner.all(this.#oldestFirst().selectAll().limit(limit))).map(readQuarantineRow);
  }

  /** Holds only the order in memory: a million messages would need more than a gigabyte. */
  async *each(): AsyncGenerator<readonly QuarantinedMessage[]> {
    const order = await this.#runner.all(this.#oldestFirst().select('fingerprint'));
    for (let from = 0; from < order.length; from += READ_AT_ONCE) {
      const chunk = order.slice(from, from + READ_AT_ONCE).map(({ fingerprint }) => fingerprint);
      const rows = new Map((await this.readRows(chunk)).map((row) => [row.fingerprint, row]));
      // A missing message was retried meanwhile.
      yield chunk.flatMap((fingerprint) => (rows.has(fingerprint) ? [readQuarantineRow(rows.get(fingerprint)!)] : []));
    }
  }

  /** For a reader of a folder that an earlier version wrote. */
  async countByReading(): Promise<readonly QuarantineCount[]> {
    return (await countQuarantineRows(this.#db)).map(readQuarantineCount);
  }

  async topKeys(limit: number) {
    const rows = await this.#runner.all(
      this.#db
        .selectFrom('quarantine_keys')
        .select((eb) => ['key', eb.fn.countAll<number>().as('number')])
        .where('key', 'not like', `${DISMISSED_PREFIX}%`)
        .groupBy('key')
        .orderBy('number', 'desc')
        .orderBy('key')
        .limit(limit),
    );
    return rows.map(({ key, number }) => ({ key, number: Number(number) }));
  }

  /** Whether a message of another source is in quarantine. */
  async hasMessageOfOtherSource(source: string): Promise<boolean> {
    const page = this.#db.selectFrom('quarantine').select(['fingerprint', 'message']).orderBy('fingerprint').limit(500);
    for (let after = ''; ; ) {
      const rows = await this.#runner.all(page.where('fingerprint', '>', after));
      if (rows.some(({ message }) => (JSON.parse(message) as { source?: unknown }).source !== source)) return true;
      if (rows.length < 500) return false;
      after = rows.at(-1)!.fingerprint;
    }
  }
}
