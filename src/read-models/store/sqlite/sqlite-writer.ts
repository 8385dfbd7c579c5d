import type Database from 'libsql';
import type { Projection } from '../../../domain/event-sourcing/projection.ts';
import { yieldToEventLoop } from '../../../platform/async/yield-to-event-loop.ts';
import { encodeDocument, type StoredValue } from '../document-layout.ts';
import type { DocumentWrite } from '../read-store.ts';
import { type GenerationTables, updateBodySql, upsertSql } from './sqlite-tables.ts';

export interface SqliteWriter {
  /**
   * Encodes documents, and returns the function that writes them in the current transaction. Rejects with
   * DocumentRejected.
   */
  encode(writes: readonly DocumentWrite[]): Promise<() => void>;
}

interface Row {
  readonly key: string;
  readonly id: number | null;
  readonly isNew: boolean;
  readonly position: bigint | number;
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

  function encode({ key, document, position, isNew = false }: DocumentWrite): Row {
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

  return {
    async encode(writes) {
      const rows: Row[] = [];
      for (const write of writes) {
        rows.push(encode(write));
        await yieldToEventLoop();
      }
      // The updates come before the upserts, so two writes of one document could change their order.
      const distinct = new Set(writes.map(({ key }) => key)).size === writes.length;
      return () => {
        if (!distinct) return upsert(rows);
        const update = statement(updateBodySql(tables));
        upsert(
          rows.filter(({ key, isNew, position, body, fields }) => {
            return isNew || update.run([body, position, key, position, ...fields]).changes === 0;
          }),
        );
      };
    },
  };
}

/** A bigint costs the driver more than a number, and nearly every position is a safe number. */
const numberWhereSafe = (position: bigint): bigint | number =>
  position <= Number.MAX_SAFE_INTEGER ? Number(position) : position;
