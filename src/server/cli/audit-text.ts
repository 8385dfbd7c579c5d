import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import { growingTable } from './audit-table.ts';

/** Members that most domain events share. The other members of a record are shown as JSON. */
interface CommonData {
  readonly at?: string;
  readonly source?: string;
  readonly content?: unknown;
  readonly correction?: true;
  readonly of?: number;
}

export function recordJson(record: LogRecord): string {
  const { at, source } = record.data as CommonData;
  return JSON.stringify({
    position: String(record.position),
    recorded_at: record.recordedAt,
    observed_at: at ?? null,
    source: source ?? null,
    stream: record.stream,
    revision: record.revision,
    type: record.type,
    version: record.version,
    data: record.data,
  });
}

const HEADINGS = ['POSITION', 'RECORDED', 'OBSERVED', 'SOURCE', 'TYPE', 'WHAT IT SAID'];

/** One line for each record, in aligned columns. The last column is cut at the terminal's width. */
export function recordTable(records: readonly LogRecord[], width?: number): string[] {
  return growingTable(HEADINGS, { width })(
    records.map((record) => {
      const { at = '', source = '' } = record.data as CommonData;
      return [String(record.position), record.recordedAt, at, source, record.type, said(record)];
    }),
  );
}

function said(record: LogRecord): string {
  const { at: _at, source: _source, content, correction, of, ...rest } = record.data as CommonData;
  if (of !== undefined) return `as in revision ${of} of ${record.stream}`;
  const { late, ...others } = rest as Record<string, unknown>;
  const notes = [...(correction ? ['correction'] : []), ...(late === undefined ? [] : ['arrived late'])];
  const text = content === undefined ? JSON.stringify(others) : JSON.stringify(content);
  return notes.length > 0 ? `(${notes.join(', ')}) ${text}` : text;
}
