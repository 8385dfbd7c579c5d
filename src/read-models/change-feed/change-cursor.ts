/** A place among the changes: behind the record at a position, or behind one of the changes that it tells. */
export interface ChangeCursor {
  /** Of the log; 0: before its first record. */
  readonly position: bigint;
  /** Of the change among those of the record; undefined: behind all of them. */
  readonly index: number | undefined;
}

/** The beginning of the log. */
export const BEGINNING: ChangeCursor = { position: 0n, index: undefined };

/** Behind all that the record at this position tells. */
export const cursorAfter = (position: bigint): ChangeCursor => ({ position, index: undefined });

export const formatCursor = ({ position, index }: ChangeCursor): string =>
  index === undefined ? String(position) : `${position}-${index}`;

/** One spelling for each place: whoever compares two cursors as texts is not misled. */
const CURSOR_FORM = /^(?:0|([1-9]\d{0,18})(?:-(0|[1-9]\d{0,5}))?)$/;
/** The same for descriptions; the digits of the largest position need no telling. */
export const CURSOR_PATTERN = '^[0-9]+(-[0-9]+)?$';

/** Undefined where the text is no cursor. */
export function parseCursor(text: string): ChangeCursor | undefined {
  const found = CURSOR_FORM.exec(text);
  if (!found) return undefined;
  const [, position = '0', index] = found;
  return { position: BigInt(position), index: index === undefined ? undefined : Number(index) };
}

/** The cursor behind one change. */
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

/** Whether a change comes behind a cursor. */
export const isAfterCursor = (
  cursor: ChangeCursor,
  change: { readonly position: bigint; readonly index: number },
): boolean =>
  change.position > cursor.position ||
  (change.position === cursor.position && cursor.index !== undefined && change.index > cursor.index);
