export interface TableOptions {
  /** Cuts lines at this many characters; default: no cut. */
  readonly width?: number | undefined;
  /** Headings of the columns that hold numbers. */
  readonly numbers?: readonly string[];
}

/**
 * Formats a table that comes in parts. A column is as wide as its widest cell so far, so nothing waits for the last row. The
 * headings come before the first part. The last column is not padded.
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
