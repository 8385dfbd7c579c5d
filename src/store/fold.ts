import type { Projection } from '../domain/projection.ts';
import type { LogRecord } from '../domain/record.ts';

/**
 * The document of this key after these records, in order of the log: what `as_of` shows. Records of types that the
 * projection does not fold, or of other keys, pass by. Undefined when none was of this key.
 */
export function foldDocument<Doc>(
  projection: Projection<Doc>,
  key: string,
  records: Iterable<LogRecord>,
): Doc | undefined {
  let document: Doc | undefined;
  for (const record of records) {
    if (!projection.types.includes(record.type) || projection.key(record) !== key) continue;
    document = projection.apply(document, record);
  }
  return document;
}
