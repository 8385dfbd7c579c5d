import { yieldToEventLoop } from './async/yield-to-event-loop.ts';

/** An entry of a calendar. Times are milliseconds. */
export interface CalendarEvent {
  /** Stays the same as long as the entry lives. */
  readonly uid: string;
  /** Grows with each change of the entry. */
  readonly sequence: number;
  readonly changedAt: number;
  readonly start: number;
  /** Null: the entry takes the whole UTC day of its start. */
  readonly end: number | null;
  readonly status: 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED';
  readonly summary: string;
  readonly location: string | null;
  readonly description: string | null;
  readonly categories: readonly string[];
}

const DAY_MS = 86_400_000;
/** RFC 5545 requires a component, also in a calendar without entries. */
const NO_ENTRIES = [
  'BEGIN:VTIMEZONE',
  'TZID:UTC',
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0000',
  'TZOFFSETTO:+0000',
  'END:STANDARD',
  'END:VTIMEZONE',
];

/** Entries written without a pause for the event loop. */
const ENTRIES_PER_TURN = 100;

/** A calendar by RFC 5545. @param name that calendar programs show */
export async function writeCalendar(name: string, entries: readonly CalendarEvent[]): Promise<string> {
  let written = content([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Ledgerline//Ledgerline//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `NAME:${text(name)}`,
    `X-WR-CALNAME:${text(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...(entries.length > 0 ? [] : NO_ENTRIES),
  ]);
  for (const [index, entry] of entries.entries()) {
    written += content(entryLines(entry));
    if (index % ENTRIES_PER_TURN === ENTRIES_PER_TURN - 1) await yieldToEventLoop();
  }
  return written + content(['END:VCALENDAR']);
}

const content = (lines: readonly string[]): string => lines.map((line) => `${folded(line)}\r\n`).join('');

function entryLines(entry: CalendarEvent): string[] {
  const { uid, sequence, changedAt, start, end, status, summary, location, description, categories } = entry;
  return [
    'BEGIN:VEVENT',
    `UID:${text(uid)}`,
    `SEQUENCE:${sequence}`,
    `DTSTAMP:${time(changedAt)}`,
    `LAST-MODIFIED:${time(changedAt)}`,
    ...(end === null
      ? [`DTSTART;VALUE=DATE:${date(start)}`, `DTEND;VALUE=DATE:${date(start + DAY_MS)}`]
      : [`DTSTART:${time(start)}`, `DTEND:${time(end)}`]),
    `STATUS:${status}`,
    `SUMMARY:${text(summary)}`,
    ...(location === null ? [] : [`LOCATION:${text(location)}`]),
    ...(description === null ? [] : [`DESCRIPTION:${text(description)}`]),
    ...(categories.length > 0 ? [`CATEGORIES:${categories.map(text).join(',')}`] : []),
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
}

const time = (at: number): string => new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, '');
const date = (at: number): string => time(at).slice(0, 8);

/** A value of the type TEXT. It may hold no control characters but line breaks. */
const text = (value: string): string =>
  value
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll(/\r\n|\r|\n/g, '\\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be sent
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '');

const MOST_OCTETS = 75;

/** A line of at most 75 octets, or several that begin with a space; no character is cut. */
function folded(line: string): string {
  if (Buffer.byteLength(line) <= MOST_OCTETS) return line;
  const pieces: string[] = [];
  let piece = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > MOST_OCTETS) {
      pieces.push(piece);
      piece = ' ';
      octets = 1;
    }
    piece += character;
    octets += size;
  }
  return [...pieces, piece].join('\r\n');
}
