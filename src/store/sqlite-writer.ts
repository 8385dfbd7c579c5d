import type Database from 'libsql';
import type { Projection } from '../domain/projection.ts';
import { encodeDocument, type StoredValue } from './fields.ts';
import type { DocumentWrite } from './read-store.ts';
import { type BuildTables, upsertSql } from './sqlite-layout.ts';

export interface Writer {
  /** Encodes documents, and returns what writes them in the transaction at hand. @throws DocumentRejected */
  encode(writes: readonly DocumentWrite[]): () => void;
}

/** Documents per statement: the calls into the driver cost more than SQLite's own work on a small document. */
const ROWS = 32;

export function createWriter(database: Database.Database, projection: Projection, tables: BuildTables): Writer {
  // Prepared when first used: a build that is only read needs none.
  let one: Database.Statement | undefined;
  let many: Database.Statement | undefined;

  function values({ key, document, position }: DocumentWrite): readonly (StoredValue | bigint)[] {
    const encoded = encodeDocument(projection, key, document);
    const fields = encoded.values.map((value) => {
      if (typeof value !== 'object' || value === null) return value;
      return value.length === 0 ? null : JSON.stringify(value);
    });
    return [key, encoded.id, position, ...fields, encoded.body];
  }

  return {
    encode(writes) {
      const rows = writes.map(values);
      return () => {
        let next = 0;
        if (rows.length >= ROWS) many ??= database.prepare(upsertSql(tables, ROWS));
        for (; next + ROWS <= rows.length; next += ROWS) many!.run(rows.slice(next, next + ROWS).flat());
        if (next < rows.length) one ??= database.prepare(upsertSql(tables, 1));
        for (; next < rows.length; next++) one!.run(rows[next]!);
      };
    },
  };
}
