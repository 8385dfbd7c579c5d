import type Database from 'libsql';
import { LRUCache } from 'lru-cache';
import type { Projection } from '../../../domain/event-sourcing/projection.ts';
import { compareByCodePoint } from '../../../domain/primitives/text-order.ts';
import type { DatabaseWatch } from '../../../platform/sqlite/sqlite-database.ts';
import {
  inImmediateTransaction,
  openSqliteDatabase,
  type SqliteDatabase,
} from '../../../platform/sqlite/sqlite-database.ts';
import { createDerivedCache } from '../derived-cache.ts';
import {
  assertSameLayout,
  compareValues,
  type DocumentLayout,
  documentLayoutOf,
  type StoredValue,
} from '../document-layout.ts';
import type { DocumentKeys } from '../document-reader.ts';
import {
  CheckpointMoved,
  type Derivation,
  GenerationNotFound,
  type ProjectionCommit,
  type Query,
  type ReadStore,
  type StoredDocument,
} from '../read-store.ts';
import { sqliteCheckpoints } from './sqlite-checkpoints.ts';
import { planQuery, type RawRow, runSelects, type Select } from './sqlite-query.ts';
import { createTablesSql, dropTablesSql, type GenerationTables, generationTables } from './sqlite-tables.ts';
import { type IdRange, isTextSearch, searchText } from './sqlite-text-search.ts';
import { createSqliteWriter, type SqliteWriter } from './sqlite-writer.ts';

export interface SqliteStore extends ReadStore {
  /** For tests: the steps of the query plan of SQLite for each SELECT of this query. */
  explain(projection: string, query: Query): readonly string[];
}

interface GenerationRow {
  readonly id: number;
  readonly name: string;
}

/** A generation that this process writes. */
interface PreparedGeneration {
  readonly id: number;
  readonly writer: SqliteWriter;
}

interface PlannedQuery {
  readonly query: Query;
  readonly branches: ReturnType<typeof planQuery>;
}

const GENERATIONS_TABLE = `CREATE TABLE IF NOT EXISTS projection_builds (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  projection TEXT NOT NULL,
  build TEXT NOT NULL,
  active INTEGER NOT NULL DEFAULT 0,
  checkpoint INTEGER,
  layout TEXT NOT NULL,
  UNIQUE (projection, build)
)`;

interface SqliteStoreOptions {
  /** An open database, which the caller closes; not the connection of the log. */
  readonly database?: SqliteDatabase;
  /** Or the file to open, closed with the store. The same file as that of the log. */
  readonly file?: string;
  /** The file must exist. */
  readonly mustExist?: boolean;
  /** Watches the connection of the file. */
  readonly watch?: DatabaseWatch | undefined;
}

/**
 * The read store in SQLite, on a connection of its own with synchronous=NORMAL (the log has FULL). A WAL keeps the
 * order of commits: a power loss may drop the last documents together with their checkpoint, and folding the records
 * again restores them.
 */
export function openSqliteStore(options: SqliteStoreOptions): SqliteStore {
  if (!options.database && !options.file) throw new Error('either database or file is needed');
  const { mustExist, watch } = options;
  const database =
    options.database ?? openSqliteDatabase({ file: options.file!, synchronous: 'normal', mustExist, watch });
  database.exec(GENERATIONS_TABLE);
  const tablesById = new Map<number, GenerationTables>();
  const prepared = new Map<string, PreparedGeneration>();
  const checkpoints = sqliteCheckpoints(database);
  const derived = createDerivedCache();
  const statements = new LRUCache<string, Database.Statement>({ max: 500 });

  function statement(sql: string): Database.Statement {
    let found = statements.get(sql);
    if (!found) {
      // Rows as arrays, integers as bigint: positions may exceed 2^53.
      found = database.prepare(sql).raw().safeIntegers();
      statements.set(sql, found);
    }
    return found;
  }

  function rows<Row>(sql: string, params: readonly unknown[]): readonly Row[] {
    return statement(sql).all(params) as Row[];
  }

  function generationRow(projection: string, generation: string): GenerationRow {
    const sql = 'SELECT id FROM projection_builds WHERE projection = ? AND build = ?';
    const [found] = rows<[bigint]>(sql, [projection, generation]);
    if (!found) throw new GenerationNotFound(projection, generation);
    return { id: Number(found[0]), name: generation };
  }

  function activeRow(projection: string): GenerationRow | undefined {
    const sql = 'SELECT id, build FROM projection_builds WHERE projection = ? AND active = 1';
    const found = statement(sql).get([projection]) as [bigint, string] | undefined;
    return found && { id: Number(found[0]), name: found[1] };
  }

  function tablesOf(projection: string, id: number): GenerationTables {
    let tables = tablesById.get(id);
    if (!tables) {
      const [found] = rows<[string]>('SELECT layout FROM projection_builds WHERE id = ?', [id]);
      if (!found) throw new Error(`projection ${projection} has lost its build`);
      tables = generationTables(projection, id, JSON.parse(found[0]) as DocumentLayout);
      tablesById.set(id, tables);
    }
    return tables;
  }

  /**
   * Reads from the active generation. Another process may replace it between the two queries. Then its tables are gone,
   * and the second attempt finds the new generation.
   */
  function fromActive<T>(projection: string, read: (tables: GenerationTables) => T): T {
    for (let attempt = 1; ; attempt++) {
      const active = activeRow(projection);
      if (!active) throw new Error(`projection ${projection} has no build`);
      try {
        return read(tablesOf(projection, active.id));
      } catch (error) {
        if (attempt > 1 || activeRow(projection)?.id === active.id) throw error;
      }
    }
  }

  function byKeys(tables: GenerationTables, keys: readonly string[]): readonly (StoredDocument<any> | undefined)[] {
    const sql = `SELECT NULL, id, key, body, position FROM ${tables.documents}
      WHERE key IN (SELECT value FROM json_each(?))`;
    const found = new Map(rows<RawRow>(sql, [JSON.stringify(keys)]).map((row) => [row[2], row]));
    return keys.map((key) => stored(found.get(key)));
  }

  function byKey(tables: GenerationTables, key: string): StoredDocument<any> | undefined {
    const sql = `SELECT NULL, id, key, body, position FROM ${tables.documents} WHERE key = ?`;
    return stored(statement(sql).get([key]) as RawRow | undefined);
  }

  /** Reading only the position is cheap: it is stored before the body. */
  function derivedOf<Doc, Made>(
    tables: GenerationTables,
    key: string,
    derivation: Derivation<Doc, Made>,
  ): Made | undefined {
    const sql = `SELECT position FROM ${tables.documents} WHERE key = ?`;
    const found = statement(sql).get([key]) as [bigint] | undefined;
    if (!found) return undefined;
    // No other generation ever has a table of this name.
    const cacheKey = `${tables.documents} ${derivation.name} ${key}`;
    return derived.get(cacheKey, found[0], derivation, () => byKey(tables, key)!);
  }

  function find(tables: GenerationTables, query: Query, range?: IdRange): readonly StoredDocument<any>[] {
    return findAll([{ query, branches: planQuery(tables, query, range) }])[0]!;
  }

  function findAll(planned: readonly PlannedQuery[]): readonly (readonly StoredDocument<any>[])[] {
    const single = planned.flatMap(({ branches }) => branches.flatMap((one) => (one.length === 1 ? one : [])));
    const singleAnswers = runSelects(single, rows);
    return planned.map(({ query, branches }) => {
      const answers = branches.map((one) => singleAnswers.get(one[0]!) ?? runInOrder(one, query.limit));
      const found = answers.length === 1 ? answers[0]! : mergeBranches(answers, query);
      return found.map((row) => stored(row)!);
    });
  }

  /** Each range reads the generation that is active at that time: keys and ids are the same in all generations. */
  function search(projection: string, query: Query): Promise<readonly StoredDocument<any>[]> {
    return searchText(query, {
      find: (part, range) => fromActive(projection, (tables) => find(tables, part, range)),
      boundAfter: (above, count) => fromActive(projection, (tables) => boundAfter(tables, above, count)),
      now: () => performance.now(),
    });
  }

  function boundAfter({ documents }: GenerationTables, above: number, count: number): number | undefined {
    const sql = `SELECT max(id) FROM (SELECT id FROM ${documents} WHERE id > ? ORDER BY id LIMIT ?)`;
    const [last] = statement(sql).get([above, count]) as [bigint | null];
    return last === null ? undefined : Number(last);
  }

  function runInOrder(selects: readonly Select[], limit: number): readonly RawRow[] {
    const found: RawRow[] = [];
    for (const { sql, params } of selects) {
      if (found.length >= limit) break;
      found.push(...rows<RawRow>(sql, [...params.slice(0, -1), limit - found.length]));
    }
    return found;
  }

  function prepare(projection: Projection, generation: string): void {
    const layout = documentLayoutOf(projection);
    const id = inImmediateTransaction(database, () => {
      const sql = 'SELECT id, layout FROM projection_builds WHERE projection = ? AND build = ?';
      const [existing] = rows<[bigint, string]>(sql, [projection.name, generation]);
      if (existing) {
        assertSameLayout(generation, JSON.parse(existing[1]) as DocumentLayout, projection);
        return Number(existing[0]);
      }
      const isFirst = activeRow(projection.name) === undefined ? 1 : 0;
      const added = database
        .prepare('INSERT INTO projection_builds (projection, build, active, layout) VALUES (?, ?, ?, ?)')
        .run([projection.name, generation, isFirst, JSON.stringify(layout)]);
      const newId = Number(added.lastInsertRowid);
      database.exec(createTablesSql(generationTables(projection.name, newId, layout)));
      return newId;
    });
    const writer = createSqliteWriter(database, projection, tablesOf(projection.name, id));
    prepared.set(generationKey(projection.name, generation), { id, writer });
  }

  function idOfGeneration(one: ProjectionCommit): number {
    try {
      return generationRow(one.projection, one.generation).id;
    } catch {
      // The process that dropped the generation has taken over the projection.
      throw new CheckpointMoved(one, one.expected, null);
    }
  }

  function preparedFor(one: ProjectionCommit): PreparedGeneration {
    const found = prepared.get(generationKey(one.projection, one.generation));
    if (found) return found;
    idOfGeneration(one);
    throw new Error(`build ${one.generation} of ${one.projection} was not prepared here`);
  }

  async function commit(commits: readonly ProjectionCommit[]): Promise<void> {
    // Encode before the transaction: it holds the only write lock of the file, which the appends of the log need too.
    const encoded: { readonly one: ProjectionCommit; readonly id: number; readonly write: () => void }[] = [];
    for (const one of commits) {
      const { id, writer } = preparedFor(one);
      encoded.push({ one, id, write: await writer.encode(one.writes) });
    }
    inImmediateTransaction(database, () => {
      for (const { one, id, write } of encoded) {
        const { partition, expected } = one;
        // Another process may have taken over.
        if (idOfGeneration(one) !== id || !checkpoints.move(id, partition, expected, one.checkpoint)) {
          throw new CheckpointMoved(one, expected, checkpoints.of(one.projection, one.generation, partition));
        }
        write();
      }
    });
  }

  function remove(projection: string, { id, name }: GenerationRow): void {
    const tables = tablesOf(projection, id);
    database.exec(dropTablesSql(tables));
    checkpoints.remove(id);
    database.prepare('DELETE FROM projection_builds WHERE id = ?').run([id]);
    tablesById.delete(id);
    prepared.delete(generationKey(projection, name));
    for (const sql of statements.keys()) if (sql.includes(tables.documents)) statements.delete(sql);
  }

  function generationRows(projection: string): readonly GenerationRow[] {
    const sql = 'SELECT id, build FROM projection_builds WHERE projection = ? ORDER BY id';
    return rows<[bigint, string]>(sql, [projection]).map(([id, name]) => ({ id: Number(id), name }));
  }

  return {
    async prepare(projection, generation) {
      prepare(projection, generation);
    },
    async activeGeneration(projection) {
      return activeRow(projection)?.name ?? null;
    },
    async generations(projection) {
      return generationRows(projection).map(({ name }) => name);
    },
    async get<Doc>(projection: string, key: string): Promise<StoredDocument<Doc> | undefined> {
      return fromActive(projection, (tables) => byKey(tables, key));
    },
    async getMany<Doc>(
      projection: string,
      keys: readonly string[],
    ): Promise<readonly (StoredDocument<Doc> | undefined)[]> {
      return fromActive(projection, (tables) => byKeys(tables, keys));
    },
    async getAcross(wanted: readonly DocumentKeys[]) {
      return wanted.map(({ projection, keys }) =>
        fromActive(projection, (tables) => (keys.length === 1 ? [byKey(tables, keys[0]!)] : byKeys(tables, keys))),
      );
    },
    async getDerived(projection, keys, derivation) {
      return fromActive(projection, (tables) => keys.map((key) => derivedOf(tables, key, derivation)));
    },
    get derivedSize() {
      return derived.size;
    },
    async find<Doc>(projection: string, query: Query): Promise<readonly StoredDocument<Doc>[]> {
      if (isTextSearch(query)) return search(projection, query);
      return fromActive(projection, (tables) => find(tables, query));
    },
    async findEach<Doc>(
      projection: string,
      queries: readonly Query[],
    ): Promise<readonly (readonly StoredDocument<Doc>[])[]> {
      if (queries.some(isTextSearch)) return Promise.all(queries.map((query) => this.find<Doc>(projection, query)));
      return fromActive(projection, (tables) =>
        findAll(queries.map((query) => ({ query, branches: planQuery(tables, query) }))),
      );
    },
    async load(projection, generation, keys) {
      return byKeys(tablesOf(projection, generationRow(projection, generation).id), keys);
    },
    commit,
    write: (part) => commit([{ ...part, checkpoint: part.expected }]),
    async checkpoint(projection, generation, partition) {
      return checkpoints.of(projection, generation, partition);
    },
    async activate(projection, generation, over) {
      inImmediateTransaction(database, () => {
        const { id } = generationRow(projection, generation);
        const previous = activeRow(projection);
        if (over && previous?.name !== generation) {
          if (previous?.name !== over.generation) throw new GenerationNotFound(projection, over.generation);
          const actual = checkpoints.of(projection, previous.name, over.partition);
          if (actual !== over.checkpoint) throw new CheckpointMoved({ projection, ...over }, over.checkpoint, actual);
          checkpoints.close(previous.id, over.partition);
        }
        database.prepare('UPDATE projection_builds SET active = (id = ?) WHERE projection = ?').run([id, projection]);
      });
    },
    async drop(projection, generation) {
      inImmediateTransaction(database, () => {
        if (activeRow(projection)?.name === generation)
          throw new Error(`build ${generation} of ${projection} is active`);
        const found = generationRows(projection).find(({ name }) => name === generation);
        if (found) remove(projection, found);
      });
    },
    async scan(projection, generation, after, limit) {
      const tables = tablesOf(projection, generationRow(projection, generation).id);
      const sql = `SELECT NULL, id, key, body, position FROM ${tables.documents}
        ${after === null ? '' : 'WHERE key > ?'} ORDER BY key LIMIT ?`;
      return rows<RawRow>(sql, after === null ? [limit] : [after, limit]).map((row) => stored(row)!);
    },
    async close() {
      if (!options.database) database.close();
    },
    explain(projection, query) {
      return fromActive(projection, (tables) =>
        planQuery(tables, query)
          .flat()
          .map(({ sql, params }) =>
            rows<unknown[]>(`EXPLAIN QUERY PLAN ${sql}`, params)
              .map((row) => row[3])
              .join('; '),
          ),
      );
    },
  };
}

const generationKey = (projection: string, generation: string): string => `${projection} ${generation}`;

function stored(row: RawRow | undefined): StoredDocument<any> | undefined {
  return row && { key: row[2], document: JSON.parse(row[3]), position: row[4] };
}

/**
 * Merges several sorted answers up to the limit. A document with several of the wanted members is in several of them.
 */
function mergeBranches(branches: readonly (readonly RawRow[])[], { order, limit }: Query): readonly RawRow[] {
  const direction = order?.direction === 'desc' ? -1 : 1;
  const unique = new Map(branches.flat().map((row) => [row[2], row]));
  return [...unique.values()]
    .sort(
      (a, b) =>
        direction * (compareSortValues(a[0], b[0]) || compareSortValues(a[1], b[1]) || compareByCodePoint(a[2], b[2])),
    )
    .slice(0, limit);
}

function compareSortValues(a: StoredValue | bigint, b: StoredValue | bigint): number {
  return compareValues(typeof a === 'bigint' ? Number(a) : a, typeof b === 'bigint' ? Number(b) : b);
}
