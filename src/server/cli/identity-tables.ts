import { once } from 'node:events';
import { growingTable } from './audit-table.ts';

type Cells = (row: any) => readonly string[];

const shown = (value: unknown): string => (value === null || value === undefined ? '–' : String(value));

/** The columns of each kind of row on a terminal. */
const TABLES: Readonly<Record<string, { readonly heads: readonly string[]; readonly cells: Cells }>> = {
  waiting: {
    heads: ['SOURCE', 'REF', 'REASON', 'COUNT', 'LAST', 'LEAGUE', 'SUGGESTION', 'TEXT'],
    cells: (row) => [
      row.source,
      shown(row.ref),
      row.reason,
      String(row.count),
      row.last_at,
      shown(row.league),
      shown(row.suggestion),
      row.text,
    ],
  },
  duplicates: {
    heads: ['WHAT', 'A', 'B', 'REASON'],
    cells: ({ what, a, b, reason }) => [what, `${a.id} ${a.name}`, `${b.id} ${b.name}`, reason],
  },
  show: {
    heads: ['WHAT', 'ID', 'LEAGUE', 'NAMES', 'REFS', 'MERGED FROM', 'ACTS'],
    cells: ({ what, id, league, names, refs, merged_from, acts }) => [
      what,
      String(id),
      shown(league),
      names.join(', '),
      refs.map(({ source, ref }: { source: string; ref: string }) => `${source}:${ref}`).join(', '),
      merged_from.join(', '),
      acts.map(({ act, action }: { act: number; action: string }) => `${act} ${action}`).join(', '),
    ],
  },
  acts: {
    heads: ['ACT', 'ACTION', 'WHAT', 'FROM', 'INTO', 'RECORDS', 'REFS'],
    cells: ({ act, action, what, from, into, moved }) => [
      ...[act, action, what, from, into].map(shown),
      String(moved.records),
      String(moved.refs),
    ],
  },
  history: {
    heads: ['ACT', 'AT', 'BY', 'ACTION', 'WHAT', 'FROM', 'INTO', 'UNDONE BY', 'NOTE'],
    cells: ({ act, at, by, action, what, from, into, undone_by, note }) =>
      [act, at, by, action, what, from, into, undone_by, note].map(shown),
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
