import { type Kysely, sql } from 'kysely';
import type { QueryRunner } from '../../../platform/sql/query-runner.ts';
import type { QuarantinedMessage, QuarantinePart, WaitingGroup } from '../identities.ts';
import { groupIdOf, groupMessages } from '../waiting-groups.ts';
import { type IdentityTables, readQuarantineRow } from './identity-tables.ts';
import type { SqlQuarantineReader } from './sql-quarantine-reader.ts';

/** Without the Z, a whole second (written without milliseconds) sorts before the later times of that second. */
const withoutZ = () => sql<string>`replace(received_at, 'Z', '')`;

/** Reads what waits by source and ref: memory does not grow with the number of messages. */
export class SqlWaitingGroups {
  readonly #db: Kysely<IdentityTables>;
  readonly #runner: QueryRunner;

  constructor(db: Kysely<IdentityTables>, runner: QueryRunner) {
    this.#db = db;
    this.#runner = runner;
  }

  /** See `Identities.listWaitingGroups`. */
  async list(after: string | null, limit: number): Promise<readonly WaitingGroup[]> {
    const groups: WaitingGroup[] = [];
    for (let last = after ?? ''; groups.length < limit; ) {
      // From id to id: one group may have a million rows.
      const [next] = await this.#runner.all(
        this.#db.selectFrom('quarantine').select('group_id').where('group_id', '>', last).orderBy('group_id').limit(1),
      );
      if (!next) break;
      last = next.group_id!;
      const group = await this.find(last);
      if (group) groups.push(group);
    }
    return groups;
  }

  find(id: string): Promise<WaitingGroup | undefined> {
    return this.#summary(id, { group: id });
  }

  /** See `Identities.findWaitingFor`. */
  findFor(key: string): Promise<WaitingGroup | undefined> {
    return this.#summary(key, { key });
  }

  /** See `Identities.listWaiting`. */
  async listMessages(part: QuarantinePart, limit: number): Promise<readonly QuarantinedMessage[]> {
    const rows = await this.#runner.all(this.#rowsOf(part).selectAll().orderBy(withoutZ()).limit(limit));
    return rows.map(readQuarantineRow);
  }

  #rowsOf(part: QuarantinePart) {
    const all = this.#db.selectFrom('quarantine');
    if ('group' in part) return all.where('group_id', '=', part.group);
    const waiting = this.#db.selectFrom('quarantine_keys').select('fingerprint').where('key', '=', part.key);
    return all.where('fingerprint', 'in', waiting);
  }

  async #summary(id: string, part: QuarantinePart): Promise<WaitingGroup | undefined> {
    const ofGroup = this.#rowsOf(part);
    const counts = await this.#runner.all(
      ofGroup
        .select(({ fn }) => [
          'kind',
          fn.countAll<number>().as('messages'),
          fn.min(withoutZ()).as('first_at'),
          fn.max(withoutZ()).as('last_at'),
        ])
        .groupBy('kind')
        .orderBy('kind'),
    );
    const times = counts.flatMap(({ first_at, last_at }) => [first_at, last_at]).sort();
    if (times.length === 0) return undefined;
    const [firstAt, lastAt] = [`${times[0]}Z`, `${times.at(-1)}Z`];
    const [oldest] = await this.#runner.all(ofGroup.selectAll().where('received_at', '=', firstAt).limit(1));
    // That message was released meanwhile, and others may be left.
    if (!oldest) return this.#summary(id, part);
    const kinds = Object.fromEntries(counts.map(({ kind, messages }) => [kind!, Number(messages)]));
    return {
      id,
      messages: Object.values(kinds).reduce((sum, number) => sum + number, 0),
      kinds,
      firstAt,
      lastAt,
      oldest: readQuarantineRow(oldest),
    };
  }

  /** For a reader of a folder that an earlier version wrote: it has no groups. */
  async listByReading(reader: SqlQuarantineReader, after: string | null, limit: number): Promise<WaitingGroup[]> {
    const messages: QuarantinedMessage[] = [];
    for await (const page of reader.each()) messages.push(...page);
    return groupMessages(messages)
      .filter(({ id }) => after === null || id > after)
      .slice(0, limit);
  }

  /** The messages of a group, in such a folder. */
  async listMessagesByReading(reader: SqlQuarantineReader, id: string, limit: number): Promise<QuarantinedMessage[]> {
    const messages: QuarantinedMessage[] = [];
    for await (const page of reader.each()) messages.push(...page.filter((message) => groupIdOf(message) === id));
    return messages.slice(0, limit);
  }
}
