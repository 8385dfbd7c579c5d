import type { UsageCall } from '../../../accounts/usage/usage-reader.ts';

const COLUMNS = ['at', 'key_id', 'key_name', 'operation', 'status', 'credits', 'milliseconds', 'request_id'];
/** Characters of what is sent at once, about. */
const CHUNK = 32 * 1024;

/** Calls as RFC 4180 has rows, in pieces as they come. @param nameOf of a key; undefined: nobody knows it */
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
  // A spreadsheet would take it for a formula, and run it.
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
