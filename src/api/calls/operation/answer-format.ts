import { markSimulated, SIMULATED_SENTENCE } from '../../../domain/primitives/simulated.ts';
import { yieldToEventLoop } from '../../../platform/async/yield-to-event-loop.ts';
import { csvRecord } from '../../../platform/csv-writer.ts';
import { type CalendarEvent, writeCalendar } from '../../../platform/icalendar.ts';
import type { Operation, OperationContext } from './operation.ts';
import type { Table } from './table.ts';

/** A form in which answers can be had beside JSON. */
export interface AnswerFormat {
  /** As in `format=`. */
  readonly name: 'csv' | 'ics';
  /** As in `Accept`. */
  readonly mediaType: string;
  /** What its media type object of the OpenAPI document says of it. */
  readonly described: Readonly<Record<string, unknown>>;
  /** As in `Content-Type`. */
  readonly contentType: string;
  /** Writes an answer of the operation that has this format. */
  write(output: unknown, context: OperationContext): Promise<string>;
}

/** Query parameter of REST; it is no input of an operation, since tools and clients read JSON. */
export const FORMAT_PARAMETER = 'format';
export const JSON_FORMAT = 'json';

/** The names that `format=` takes. */
export const formatNames = (formats: ReadonlyMap<string, AnswerFormat>): readonly string[] => [
  JSON_FORMAT,
  ...formats.keys(),
];

/** The formats of an operation by name; JSON, which all have, is none of them. */
export function formatsOf({
  table,
  calendar,
}: Pick<Operation, 'table' | 'calendar'>): ReadonlyMap<string, AnswerFormat> {
  const formats: AnswerFormat[] = [];
  if (table) formats.push(csvFormat(table));
  if (calendar) formats.push(calendarFormat(calendar));
  return new Map(formats.map((format) => [format.name, format]));
}

const csvFormat = (table: Table): AnswerFormat => ({
  name: 'csv',
  mediaType: 'text/csv',
  get described() {
    return { 'x-columns': table.columns };
  },
  contentType: 'text/csv; charset=utf-8',
  write: (output) => writeCsv(table, output),
});

const calendarFormat = (calendar: NonNullable<Operation['calendar']>): AnswerFormat => ({
  name: 'ics',
  mediaType: 'text/calendar',
  described: {},
  contentType: 'text/calendar; charset=utf-8',
  async write(output, context) {
    const entries = await calendar(output, context);
    if (!context.isSimulated()) return writeCalendar('Ledgerline', entries);
    return writeCalendar(markSimulated('Ledgerline'), entries.map(asSimulated));
  },
});

/** Calendar programs show entries of many calendars together, so each one says it. */
const asSimulated = (entry: CalendarEvent): CalendarEvent => ({
  ...entry,
  summary: markSimulated(entry.summary),
  description: [SIMULATED_SENTENCE, entry.description].filter((part) => part !== null).join(' '),
});

/** Rows written without a pause for the event loop. */
const ROWS_PER_TURN = 200;

/** An answer as CSV by RFC 4180, with a header. */
async function writeCsv(table: Table, answer: unknown): Promise<string> {
  let text = csvRecord(table.columns.map(({ name }) => name));
  let written = 0;
  for (const row of table.rows(answer)) {
    text += csvRecord(row);
    written += 1;
    if (written % ROWS_PER_TURN === 0) await yieldToEventLoop();
  }
  return text;
}

/** Where the next page of a list begins. */
export interface NextPage {
  /** The query parameter that takes the cursor. */
  readonly parameter: 'after' | 'after_id';
  readonly cursor: string;
  /** Whether there is such a page by now; false: later, perhaps. */
  readonly exists: boolean;
}

/** Undefined for the last page, and for an answer that does not come in pages. */
export function nextPageOf(output: Readonly<Record<string, unknown>>): NextPage | undefined {
  const { next_after_id: id, next_after: cursor, has_more } = output;
  if (typeof id === 'number' || typeof id === 'string')
    return { parameter: 'after_id', cursor: String(id), exists: true };
  if (typeof cursor === 'string') return { parameter: 'after', cursor, exists: has_more !== false };
  return undefined;
}
