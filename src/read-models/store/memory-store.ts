import type { Projection } from '../../domain/event-sourcing/projection.ts';
import { compareByCodePoint } from '../../domain/primitives/text-order.ts';
import {
  assertSameLayout,
  compareValues,
  type DocumentLayout,
  documentLayoutOf,
  encodeDocument,
  fieldKind,
  type StoredValue,
  toStoredValue,
} from './document-layout.ts';
import {
  CheckpointMoved,
  type Derivation,
  type DocumentWrite,
  GenerationNotFound,
  isDeletion,
  type ProjectionCommit,
  type Query,
  type ReadStore,
  type StoredDocument,
} from './read-store.ts';

interface Row {
  readonly key: string;
  readonly id: number | null;
  readonly position: bigint;
  readonly values: Readonly<Record<string, StoredValue | readonly StoredValue[]>>;
  /** JSON text, so that no two readers share an object. */
  readonly body: string;
}

interface MemoryGeneration {
  readonly projection: Projection;
  readonly layout: DocumentLayout;
  readonly rows: Map<string, Row>;
  /** Checkpoints by partition. */
  readonly checkpoints: Map<string, bigint>;
  /** Partitions that another generation has taken over. */
  readonly closed: Set<string>;
}

/**
 * A read store in memory, for tests and temporary folds. It gives the same answers as the others, by scanning all
 * documents.
 */
export function createMemoryStore(): ReadStore {
  const projections = new Map<string, { active: string; generations: Map<string, MemoryGeneration> }>();

  function generationOf(projection: string, generation: string): MemoryGeneration {
    const found = projections.get(projection)?.generations.get(generation);
    if (!found) throw new GenerationNotFound(projection, generation);
    return found;
  }

  function activeOf(projection: string): MemoryGeneration {
    const entry = projections.get(projection);
    if (!entry) throw new Error(`projection ${projection} has no build`);
    return generationOf(projection, entry.active);
  }

  function commit(commits: readonly ProjectionCommit[]): void {
    const targets = commits.map((one) => {
      const generation = projections.get(one.projection)?.generations.get(one.generation);
      const actual = generation?.checkpoints.get(one.partition) ?? null;
      if (!generation || generation.closed.has(one.partition) || actual !== one.expected)
        throw new CheckpointMoved(one, one.expected, actual);
      const names = Object.keys(generation.layout.fields);
      const rows = one.writes.map((write): Row | DocumentWrite => {
        if (isDeletion(write)) return write;
        const { key, document, position } = write;
        const { id, values, body } = encodeDocument(generation.projection, key, document);
        return { key, id, position, body, values: Object.fromEntries(names.map((name, i) => [name, values[i]!])) };
      });
      return { generation, rows, partition: one.partition, checkpoint: one.checkpoint };
    });
    for (const { generation, rows, partition, checkpoint } of targets) {
      if (checkpoint !== null) generation.checkpoints.set(partition, checkpoint);
      for (const row of rows) {
        const old = generation.rows.get(row.key);
        if (old && old.position > row.position) continue;
        if ('body' in row) generation.rows.set(row.key, row);
        else generation.rows.delete(row.key);
      }
    }
  }

  function find<Doc>({ layout, rows }: MemoryGeneration, query: Query): readonly StoredDocument<Doc>[] {
    return selectRows(layout, [...rows.values()], query).map((row) => stored<Doc>(row)!);
  }

  return {
    async prepare(projection, generation) {
      const layout = documentLayoutOf(projection);
      let entry = projections.get(projection.name);
      if (!entry) {
        entry = { active: generation, generations: new Map() };
        projections.set(projection.name, entry);
      }
      const existing = entry.generations.get(generation);
      if (existing) assertSameLayout(generation, existing.layout, projection);
      entry.generations.set(generation, {
        projection,
        layout,
        rows: existing?.rows ?? new Map(),
        checkpoints: existing?.checkpoints ?? new Map(),
        closed: existing?.closed ?? new Set(),
      });
    },
    async activeGeneration(projection) {
      return projections.get(projection)?.active ?? null;
    },
    async generations(projection) {
      return [...(projections.get(projection)?.generations.keys() ?? [])];
    },
    async get<Doc>(projection: string, key: string) {
      return stored<Doc>(activeOf(projection).rows.get(key));
    },
    async getMany<Doc>(projection: string, keys: readonly string[]) {
      const { rows } = activeOf(projection);
      return keys.map((key) => stored<Doc>(rows.get(key)));
    },
    async getAcross(wanted) {
      return wanted.map(({ projection, keys }) => {
        const { rows } = activeOf(projection);
        return keys.map((key) => stored<any>(rows.get(key)));
      });
    },
    async getDerived<Doc, Made>(projection: string, keys: readonly string[], { derive }: Derivation<Doc, Made>) {
      const { rows } = activeOf(projection);
      return keys.map((key) => {
        const found = stored<Doc>(rows.get(key));
        return found && derive(found.document);
      });
    },
    async find<Doc>(projection: string, query: Query) {
      return find<Doc>(activeOf(projection), query);
    },
    async findEach<Doc>(projection: string, queries: readonly Query[]) {
      const generation = activeOf(projection);
      return queries.map((query) => find<Doc>(generation, query));
    },
    async load(projection, generation, keys) {
      const { rows } = generationOf(projection, generation);
      return keys.map((key) => stored<any>(rows.get(key)));
    },
    async commit(commits) {
      commit(commits);
    },
    async write(part) {
      commit([{ ...part, checkpoint: part.expected }]);
    },
    async checkpoint(projection, generation, partition) {
      return projections.get(projection)?.generations.get(generation)?.checkpoints.get(partition) ?? null;
    },
    async activate(projection, generation, over) {
      generationOf(projection, generation);
      const entry = projections.get(projection)!;
      const before = entry.active;
      if (over && before !== generation) {
        if (before !== over.generation) throw new GenerationNotFound(projection, over.generation);
        const { checkpoints, closed } = generationOf(projection, before);
        const checkpoint = checkpoints.get(over.partition) ?? null;
        if (checkpoint !== over.checkpoint) {
          throw new CheckpointMoved({ projection, ...over }, over.checkpoint, checkpoint);
        }
        checkpoints.delete(over.partition);
        closed.add(over.partition);
      }
      entry.active = generation;
    },
    async drop(projection, generation) {
      const entry = projections.get(projection);
      if (entry?.active === generation) throw new Error(`build ${generation} of ${projection} is active`);
      entry?.generations.delete(generation);
    },
    async scan(projection, generation, after, limit) {
      return [...generationOf(projection, generation).rows.values()]
        .filter((row) => after === null || compareByCodePoint(row.key, after) > 0)
        .sort((a, b) => compareByCodePoint(a.key, b.key))
        .slice(0, limit)
        .map((row) => stored<any>(row)!);
    },
    async close() {
      projections.clear();
    },
  };
}

function stored<Doc>(row: Row | undefined): StoredDocument<Doc> | undefined {
  return row && { key: row.key, document: JSON.parse(row.body) as Doc, position: row.position };
}

function selectRows(layout: DocumentLayout, rows: readonly Row[], query: Query): readonly Row[] {
  const { order, after } = query;
  const tests = conditions(layout, query);
  if (order) fieldKind(layout, order.field, 'single');
  const direction = order?.direction === 'desc' ? -1 : 1;
  const sortValue = (row: Row) => (order ? singleValue(row, order.field) : null);
  if (after) {
    const at = order ? toStoredValue(after.value) : null;
    tests.push((row) => direction * (compareValues(sortValue(row), at) || compareValues(row.id, after.id)) > 0);
  }
  return rows
    .filter((row) => tests.every((test) => test(row)))
    .sort(
      (a, b) =>
        direction *
        (compareValues(sortValue(a), sortValue(b)) || compareValues(a.id, b.id) || compareByCodePoint(a.key, b.key)),
    )
    .slice(0, query.limit);
}

function conditions(layout: DocumentLayout, { where, range, contains }: Query): ((row: Row) => boolean)[] {
  const tests: ((row: Row) => boolean)[] = [];
  for (const [name, wanted] of Object.entries(where ?? {})) {
    fieldKind(layout, name, 'where');
    const values = new Set([wanted].flat().map((value) => toStoredValue(value)));
    tests.push((row) => [row.values[name]!].flat().some((value) => values.has(value)));
  }
  if (range) {
    fieldKind(layout, range.field, 'single');
    const { field, exclusive } = range;
    const from = toStoredValue(range.from);
    const to = toStoredValue(range.to);
    if (from !== null || to !== null) tests.push((row) => singleValue(row, field) !== null);
    if (from !== null) {
      const isOpen = exclusive === 'from' || exclusive === 'both';
      tests.push((row) => isAbove(compareValues(singleValue(row, field), from), isOpen));
    }
    if (to !== null) {
      const isOpen = exclusive === 'to' || exclusive === 'both';
      tests.push((row) => isAbove(compareValues(to, singleValue(row, field)), isOpen));
    }
  }
  if (contains) {
    const { field, text } = contains;
    fieldKind(layout, field, 'text');
    tests.push((row) => {
      const value = singleValue(row, field);
      return typeof value === 'string' && value.includes(text);
    });
  }
  return tests;
}

function isAbove(comparison: number, isOpen: boolean): boolean {
  return isOpen ? comparison > 0 : comparison >= 0;
}

function singleValue(row: Row, field: string): StoredValue {
  return row.values[field] as StoredValue;
}
