/** A position among the changes: after the record at a position, or after one of its changes. */
export interface ChangeCursor {
  /** Position in the log; 0: before its first record. */
  readonly position: bigint;
  /** Index of the change among those of the record; undefined: after all of them. */
  readonly index: number | undefined;
}

/** The beginning of the log. */
export const BEGINNING: ChangeCursor = { position: 0n, index: undefined };

/** The cursor after all changes of the record at this position. */
export const cursorAfter = (position: bigint): ChangeCursor => ({ position, index: undefined });

export const formatCursor = ({ position, index }: ChangeCursor): string =>
  index === undefined ? String(position) : `${position}-${index}`;

/** Each cursor has exactly one spelling, so that cursors can be compared as texts. */
const CURSOR_FORM = /^(?:0|([1-9]\d{0,18})(?:-(0|[1-9]\d{0,5}))?)$/;
/** A simpler pattern for API descriptions: it does not limit the number of digits. */
export const CURSOR_PATTERN = '^[0-9]+(-[0-9]+)?$';

/** Undefined if the text is not a cursor. */
export function parseCursor(text: string): ChangeCursor | undefined {
  const found = CURSOR_FORM.exec(text);
  if (!found) return undefined;
  const [, position = '0', index] = found;
  return { position: BigInt(position), index: index === undefined ? undefined : Number(index) };
}

/** The cursor after one change. */
export const cursorAfterChange = ({
  position,
  index,
}: {
  readonly position: bigint;
  readonly index: number;
}): ChangeCursor => ({
  position,
  index,
});

/** Whether a change comes after a cursor. */
export const isAfterCursor = (
  cursor: ChangeCursor,
  change: { readonly position: bigint; readonly index: number },
): boolean =>
  change.position > cursor.position ||
  (change.position === cursor.position && cursor.index !== undefined && change.index > cursor.index);
