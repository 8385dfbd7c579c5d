/** What a field of CSV may hold; null and undefined are empty. */
export type CsvField = string | number | boolean | null | undefined;

/** One record of CSV by RFC 4180, with its line end. */
export const csvRecord = (fields: readonly CsvField[]): string => `${fields.map(csvField).join(',')}\r\n`;

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

function csvField(value: CsvField): string {
  if (typeof value !== 'string') return String(value ?? '');
  // Spreadsheets would run such a text as a formula.
  const harmless = /^[=+\-@\t\r]/.test(value) && !NUMBER.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
