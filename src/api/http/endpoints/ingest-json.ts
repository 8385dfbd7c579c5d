import { isUtf8 } from 'node:buffer';
import { LineBatches } from '../../../ingest/intake/ingest-lines.ts';
import { addOutcomes, createOutcomeReport, type Intake, type OutcomeReport } from '../../../ingest/intake/intake.ts';
import { type Line, toLine } from '../../../ingest/intake/ndjson-lines.ts';
import { yieldToEventLoop } from '../../../platform/async/yield-to-event-loop.ts';
import { JsonScanner, NotJson, type ScannedValue } from '../../../platform/json/json-scanner.ts';

/** Bytes scanned without a break. */
const PIECE = 64 * 1024;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Ingests one object, or an array of objects, each like a line of NDJSON. A body that is not JSON counts as one
 * rejected message, and nothing of it is ingested. The array is never parsed as a whole: each value is cut out as
 * bytes.
 */
export async function ingestJsonValues(intake: Intake, body: Buffer): Promise<OutcomeReport> {
  const bytes = body.subarray(0, 3).equals(BOM) ? body.subarray(3) : body;
  if (isBlank(bytes)) return createOutcomeReport();
  const problem = await problemOf(bytes);
  if (problem !== undefined) {
    const report = createOutcomeReport();
    addOutcomes(report, [{ line: 1, status: 'rejected', code: 'invalid_json', message: problem, path: '' }]);
    return report;
  }
  const batches = new LineBatches(intake);
  let line = 0;
  for await (const values of valuesOf(bytes)) {
    for (const value of values) {
      line++;
      if (batches.add(cut(bytes, value, line))) await batches.submit();
    }
  }
  if (!batches.isEmpty) await batches.submit();
  return batches.report;
}

/** Yields the elements of the outermost array, or the only value, in groups. @throws NotJson */
async function* valuesOf(bytes: Buffer): AsyncGenerator<readonly ScannedValue[]> {
  let found: ScannedValue[] = [];
  const scan = new JsonScanner(bytes, (value) => found.push(value));
  for (let isOver = false; !isOver; ) {
    isOver = scan.read(PIECE);
    if (found.length > 0) yield found;
    found = [];
    if (!isOver) await yieldToEventLoop();
  }
}

/** Why the body is not JSON; undefined if it is. */
async function problemOf(bytes: Buffer): Promise<string | undefined> {
  if (!isUtf8(bytes)) return 'the body is not valid UTF-8';
  const scan = new JsonScanner(bytes);
  try {
    while (!scan.read(PIECE)) await yieldToEventLoop();
    return undefined;
  } catch (error) {
    if (error instanceof NotJson) return `the body is ${error.message}`;
    throw error;
  }
}

const cut = (bytes: Buffer, { begin, end }: ScannedValue, line: number): Line =>
  toLine(line, bytes.subarray(begin, end));

function isBlank(bytes: Buffer): boolean {
  for (const byte of bytes) if (byte !== 0x20 && (byte < 0x09 || byte > 0x0d)) return false;
  return true;
}
