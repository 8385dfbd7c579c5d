export interface TableOptions {
  /** Characters of the terminal, where lines are cut; default: nowhere. */
  readonly width?: number | undefined;
  /** Headings of the columns that hold numbers. */
  readonly numbers?: readonly string[];
}

/**
 * Lines of a table that may come in parts: a column is as wide as anything that it has held so far, so that nothing has
 * to wait for the last row. The headings stand before the first part. The last column is not padded.
 */
export function growingTable(headings: readonly string[], { width, numbers = [] }: TableOptions = {}) {
  const last = headings.length - 1;
  const widths = headings.map(({ length }) => length);
  const isNumber = headings.map((heading) => numbers.includes(heading));
  let before: readonly (readonly string[])[] = [headings];

  function pad(cell: string, column: number): string {
    if (isNumber[column]) return cell.padStart(widths[column]!);
    return column === last ? cell : cell.padEnd(widths[column]!);
  }

  return (rows: readonly (readonly string[])[]): string[] => {
    for (const row of rows) {
      for (let column = 0; column <= last; column++) widths[column] = Math.max(widths[column]!, row[column]!.length);
    }
    const lines = [...before, ...rows].map((row) => row.map(pad).join('  ').slice(0, width));
    before = [];
    return lines;
  };
}
