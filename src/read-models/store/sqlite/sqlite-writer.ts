import type Database from 'libsql';
import type { Projection } from '../../../domain/event-sourcing/projection.ts';
import { yieldToEventLoop } from '../../../platform/async/yield-to-event-loop.ts';
import { encodeDocument, type StoredValue } from '../document-layout.ts';
import { type DocumentWrite, isDeletion } from '../read-store.ts';
import { deleteSql, type GenerationTables, updateBodySql, upsertSql } from './sqlite-tables.ts';

export interface SqliteWriter {
  /**
   * Encodes documents, and returns the function that writes them in the current transaction. Rejects with
   * DocumentRejected.
   */
  encode(writes: readonly DocumentWrite[]): Promise<() => void>;
}

interface Deletion {
  readonly key: string;
  readonly position: bigint | number;
}

interface Row extends Deletion {
  readonly id: number | null;
  readonly isNew: boolean;
  readonly fields: readonly StoredValue[];
  readonly body: string;
}

/** Documents per statement: a call of the driver costs more than the work of SQLite on a small document. */
const ROWS = 32;

export function createSqliteWriter(
  database: Database.Database,
  projection: Projection,
  tables: GenerationTables,
): SqliteWriter {
  // Prepared when first used: a generation that is only read needs none.
  const prepared = new Map<string, Database.Statement>();
  function statement(sql: string): Database.Statement {
    let found = prepared.get(sql);
    if (!found) {
      found = database.prepare(sql);
      prepared.set(sql, found);
    }
    return found;
  }

  function encode(write: DocumentWrite): Row | Deletion {
    if (isDeletion(write)) return { key: write.key, position: numberWhereSafe(write.position) };
    const { key, document, position, isNew = false } = write;
    const { id, values, body } = encodeDocument(projection, key, document);
    const fields = values.map((value) => {
      if (typeof value !== 'object' || value === null) return value;
      return value.length === 0 ? null : JSON.stringify(value);
    });
    return { key, id, isNew, position: numberWhereSafe(position), fields, body };
  }

  function upsert(rows: readonly Row[]): void {
    let next = 0;
    for (const size of [ROWS, 1]) {
      for (; next + size <= rows.length; next += size) {
        const params: unknown[] = [];
        for (let i = next; i < next + size; i++) {
          const { key, id, position, fields, body } = rows[i]!;
          params.push(key, id, position, ...fields, body);
        }
        statement(upsertSql(tables, size)).run(params);
      }
    }
  }

  function remove({ key, position }: Deletion): void {
    for (const sql of deleteSql(tables)) statement(sql).run([key, position]);
  }

  /** With an update first, where the fields are as stored. */
  function updateOrInsert(rows: readonly Row[]): void {
    const update = statement(updateBodySql(tables));
    upsert(
      rows.filter(({ key, isNew, position, body, fields }) => {
        return isNew || update.run([body, position, key, position, ...fields]).changes === 0;
      }),
    );
  }

  return {
    async encode(writes) {
      const rows: (Row | Deletion)[] = [];
      for (const write of writes) {
        rows.push(encode(write));
        await yieldToEventLoop();
      }
      // The updates come before the upserts, so two writes of one document could change their order.
      const distinct = new Set(writes.map(({ key }) => key)).size === writes.length;
      return () => {
        if (distinct) {
          for (const row of rows) if (!isRow(row)) remove(row);
          updateOrInsert(rows.filter(isRow));
        } else {
          for (const row of rows) isRow(row) ? upsert([row]) : remove(row);
        }
      };
    },
  };
}

const isRow = (row: Row | Deletion): row is Row => 'body' in row;

/** A bigint costs the driver more than a number, and nearly every position is a safe number. */
const numberWhereSafe = (position: bigint): bigint | number =>
  position <= Number.MAX_SAFE_INTEGER ? Number(position) : position;
