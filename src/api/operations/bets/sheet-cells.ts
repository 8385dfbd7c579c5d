/** A cell that cannot be read: what stands in it, and what is wrong with it. */
export interface UnreadCell {
  readonly unread: string;
  readonly why: string;
}

export const unread = (cell: string, why: string): UnreadCell => ({ unread: cell, why });

export const isUnread = (value: unknown): value is UnreadCell =>
  typeof value === 'object' && value !== null && 'unread' in value;

const WHOLE_OR_POINT = /^-?(?:\d+\.?\d*|\.\d+)$/;
const THOUSANDS = /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const DECIMAL_COMMA = /^-?(?:\d+|\d{1,3}(?:\.\d{3})+),\d+$/;

/**
 * The number in a cell, perhaps with a sign, a decimal comma or commas between thousands: `+150`, `1,000.50`, `1,95`.
 * @param hasCommas whether the sheet writes decimal commas: then `1,950` is less than 2, else it is a thousand and more
 */
export function readNumber(cell: string, hasCommas: boolean): number | undefined {
  const plain = cell.replaceAll('−', '-').replace(/^\+/, '');
  if (WHOLE_OR_POINT.test(plain)) return Number(plain);
  if (!hasCommas && THOUSANDS.test(plain)) return Number(plain.replaceAll(',', ''));
  return DECIMAL_COMMA.test(plain) ? Number(plain.replaceAll('.', '').replace(',', '.')) : undefined;
}

/** A number with three digits behind its only point or comma. */
export const isPerhapsThousands = (cell: string): boolean => /^\d{1,3}[.,]\d{3}$/.test(cell);
