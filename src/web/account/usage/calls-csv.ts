import type { UsageCall } from '../../../accounts/usage/usage-reader.ts';
import { csvRecord } from '../../../platform/csv-writer.ts';

const COLUMNS = ['at', 'key_id', 'key_name', 'operation', 'status', 'credits', 'milliseconds', 'request_id'];
/** Approximate size of a chunk in characters. */
const CHUNK = 32 * 1024;

/**
 * Calls as CSV (RFC 4180), in chunks.
 * @param nameOf name of a key; undefined if unknown
 */
export async function* callsCsv(
  calls: AsyncIterable<UsageCall>,
  nameOf: (keyId: number) => string | undefined,
): AsyncGenerator<string> {
  let chunk = csvRecord(COLUMNS);
  for await (const { at, keyId, operation, status, credits, milliseconds, requestId } of calls) {
    const name = keyId === null ? undefined : nameOf(keyId);
    chunk += csvRecord([at, keyId, name, operation, status, credits, milliseconds, requestId]);
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}
