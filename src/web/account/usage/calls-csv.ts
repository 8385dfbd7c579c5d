import type { UsageCall } from '../../../accounts/usage/usage-reader.ts';

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
  let chunk = row(COLUMNS);
  for await (const { at, keyId, operation, status, credits, milliseconds, requestId } of calls) {
    const name = keyId === null ? undefined : nameOf(keyId);
    chunk += row([at, keyId, name, operation, status, credits, milliseconds, requestId]);
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

const row = (values: readonly (string | number | null | undefined)[]): string => `${values.map(cell).join(',')}\r\n`;

function cell(value: string | number | null | undefined): string {
  const text = String(value ?? '');
  // Spreadsheets would run such a text as a formula.
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
