import { americanFromDecimal } from '../../../domain/odds/american-odds.ts';
import { decimalOdds } from '../../../intelligence/prices/odds-arithmetic.ts';
import { isPerhapsThousands, isUnread, readNumber, type UnreadCell, unread } from './sheet-cells.ts';

/** The odds of one row, by the columns that may hold them; empty: none. */
export interface OddsCells {
  /** Of a column that does not say in which form it is. */
  readonly price: string;
  readonly american: string;
  readonly decimal: string;
}

export interface OddsColumns {
  /** Whether the sheet has a column of decimal odds beside that which does not say: then that one is in American ones. */
  readonly hasDecimals: boolean;
  /** Whether the sheet writes decimal commas. */
  readonly hasCommas: boolean;
}

/** A price as the API takes it. */
interface TakenOdds {
  readonly price: number;
  readonly decimal?: number;
}

type Reading = TakenOdds | UnreadCell;

const EVEN = /^(?:evens?|ev|evs|even money)$/i;
const SIGNED = /^[+−-]/;
const EITHER = 'must be odds, American such as -110 and +150, or decimal such as 1.91';

/**
 * The odds of all rows. What does not say its form is told by the signs and sizes of the whole column; where nothing of it
 * does, it is in American odds, as prices of the API are: nobody has a column of decimal odds that are all 100 or more.
 */
export function readOdds(rows: readonly OddsCells[], columns: OddsColumns): readonly (Reading | undefined)[] {
  const forms = new Set(rows.flatMap((row) => (isUnnamed(row) ? (formOf(row.price, columns.hasCommas) ?? []) : [])));
  const [form] = columns.hasDecimals || forms.size === 0 ? ['american' as const] : forms.size === 1 ? forms : [];
  return rows.map((row) => {
    if (row.decimal !== '') {
      const isAmerican = formOf(row.price, columns.hasCommas) !== 'decimal';
      return readBoth(row.decimal, row.american || (isAmerican ? row.price : ''), columns.hasCommas);
    }
    if (row.american !== '') return readAmerican(row.american, columns.hasCommas);
    if (row.price === '') return undefined;
    if (EVEN.test(row.price)) return { price: 100 };
    if (readNumber(row.price, columns.hasCommas) === undefined) return unread(row.price, EITHER);
    const own = formOf(row.price, columns.hasCommas) ?? form;
    if (own === 'american') return readAmerican(row.price, columns.hasCommas);
    if (own === 'decimal') return readDecimal(row.price, columns.hasCommas);
    return withoutForm(row.price);
  });
}

/** How far decimal odds of two decimals may be from the American ones that they stand for. */
const ROUNDED = 0.0051;

/** Decimal odds, with the American ones beside them that may be empty. Different prices are refused. */
function readBoth(decimalCell: string, americanCell: string, hasCommas: boolean): Reading {
  const decimal = readDecimal(decimalCell, hasCommas);
  const american = americanCell === '' ? decimal : readAmerican(americanCell, hasCommas);
  if (isUnread(decimal) || isUnread(american) || decimal.price === american.price) {
    return isUnread(american) ? american : decimal;
  }
  // Rounded, they are less exact than the American ones.
  if (Math.abs(decimal.decimal! - decimalOdds(american.price)) < ROUNDED) return american;
  return unread(
    decimalCell,
    `must be one price: ${americanCell} in American odds is not ${decimalCell} in decimal ones`,
  );
}

const isUnnamed = ({ price, american, decimal }: OddsCells): boolean =>
  price !== '' && american === '' && decimal === '';

/** The form that a cell shows by itself: American odds have a sign, and decimal ones are below 100 or have a fraction. */
function formOf(cell: string, hasCommas: boolean): 'american' | 'decimal' | undefined {
  const value = readNumber(cell, hasCommas);
  if (value === undefined) return undefined;
  if (SIGNED.test(cell)) return 'american';
  return value < 100 || !Number.isInteger(value) ? 'decimal' : undefined;
}

function readAmerican(cell: string, hasCommas: boolean): Reading {
  if (EVEN.test(cell)) return { price: 100 };
  const price = readNumber(cell, hasCommas);
  return price === undefined ? unread(cell, 'must be American odds, such as -110 or +150') : { price };
}

function readDecimal(cell: string, hasCommas: boolean): Reading {
  if (!hasCommas && cell.includes(',') && isPerhapsThousands(cell)) return unread(cell, unclearComma(cell));
  const decimal = EVEN.test(cell) ? 2 : SIGNED.test(cell) ? undefined : readNumber(cell, hasCommas);
  const price = decimal === undefined ? undefined : americanFromDecimal(decimal);
  return decimal === undefined || price === undefined
    ? unread(cell, 'must be decimal odds: a number of more than 1, without a sign')
    : { price, decimal };
}

function withoutForm(cell: string): UnreadCell {
  const why = `may be American or decimal odds: write +${cell}, or call the column american_odds or decimal_odds`;
  return unread(cell, cell.includes(',') ? unclearComma(cell) : why);
}

const unclearComma = (cell: string): string =>
  `may be ${cell.replace(',', '.')} or ${cell.replace(',', '')}: write it without a comma`;
