import { once } from 'node:events';
import { growingTable } from './audit-table.ts';

type Cells = (row: any) => readonly string[];

const shown = (value: unknown): string => (value === null || value === undefined ? '–' : String(value));

type Event = { id: number; name: string; starts_at: string | null; status: string } | undefined;
const eventsText = (events: readonly Event[]): string =>
  events
    .flatMap((event) => (event ? [`${event.id}: ${event.name}, ${shown(event.starts_at)}, ${event.status}`] : []))
    .join('; ');

type Target = { name: string; starts_at: string | null; league: string | null } | undefined;
const targetText = (target: Target): string =>
  target ? [target.name, target.starts_at, target.league].filter((part) => part !== null).join(', ') : '–';

/** The columns of each kind of row on a terminal. */
const TABLES: Readonly<Record<string, { readonly heads: readonly string[]; readonly cells: Cells }>> = {
  waiting: {
    heads: ['SOURCE', 'REF', 'REASON', 'COUNT', 'LAST', 'LEAGUE', 'SUGGESTION', 'ID', 'TEXT'],
    cells: (row) => [
      row.source,
      shown(row.ref),
      row.reason,
      String(row.count),
      row.last_at,
      shown(row.league),
      shown(row.suggestion),
      row.id,
      row.text,
    ],
  },
  messages: {
    heads: ['RECEIVED', 'REASON', 'MESSAGE'],
    cells: ({ received_at, reason, message }) => [received_at, reason, JSON.stringify(message)],
  },
  dismissed: {
    heads: ['ACT', 'AT', 'BY', 'WHAT', 'COUNT', 'LAST', 'NOTE'],
    cells: ({ act, at, by, from, count, last_at, note }) => [act, at, by, from, count, last_at, note].map(shown),
  },
  duplicates: {
    heads: ['WHAT', 'A', 'B', 'REASON'],
    cells: ({ what, a, b, reason }) => [what, `${a.id} ${a.name}`, `${b.id} ${b.name}`, reason],
  },
  show: {
    heads: ['WHAT', 'ID', 'LEAGUE', 'NAMES', 'SIDES', 'START', 'REFS', 'MERGED FROM', 'ACTS'],
    cells: ({ what, id, league, names, sides, starts_at, refs, merged_from, acts }) => [
      what,
      String(id),
      shown(league),
      names.join(', '),
      sides.map((side: { id: number | null; name: string }) => `${shown(side.id)} ${side.name}`).join(', '),
      shown(starts_at),
      refs.map(({ source, ref }: { source: string; ref: string }) => `${source}:${ref}`).join(', '),
      merged_from.join(', '),
      acts.map(({ act, action }: { act: number; action: string }) => `${act} ${action}`).join(', '),
    ],
  },
  acts: {
    heads: ['ACT', 'ACTION', 'WHAT', 'FROM', 'INTO', 'TARGET', 'RECORDS', 'REFS', 'BECOMES'],
    cells: ({ act, action, what, from, into, target, moved, becomes, from_becomes }) => [
      ...[act, action, what, from, into].map(shown),
      targetText(target),
      String(moved.records),
      String(moved.refs),
      eventsText([becomes, from_becomes]),
    ],
  },
  history: {
    heads: ['ACT', 'AT', 'BY', 'ACTION', 'WHAT', 'FROM', 'INTO', 'TARGET', 'UNDONE BY', 'NOTE'],
    cells: ({ act, at, by, action, what, from, into, target, undone_by, note }) =>
      [act, at, by, action, what, from, into, targetText(target), undone_by, note].map(shown),
  },
};

/** Prints rows as they come: lines of JSON, or a table. Waits for a slow reader. */
export async function printRows(
  table: string,
  pages: AsyncIterable<readonly object[]>,
  asJson: boolean,
): Promise<void> {
  const { heads, cells } = TABLES[table]!;
  const toLines = growingTable(heads);
  for await (const rows of pages) {
    if (rows.length === 0) continue;
    const lines = asJson ? rows.map((row) => JSON.stringify(row)) : toLines(rows.map(cells));
    if (!process.stdout.write(lines.map((line) => `${line}\n`).join(''))) await once(process.stdout, 'drain');
  }
}

export async function* inPages<Row>(rows: AsyncIterable<Row> | Iterable<Row>): AsyncGenerator<readonly Row[]> {
  for await (const row of rows) yield [row];
}
