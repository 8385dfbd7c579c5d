import { americanFromDecimal, LARGEST_PRICE } from '../../domain/odds/american-odds.ts';
import { asNumber, asRecord, asText } from '../parsing/json-values.ts';

/** American odds as ESPN writes them: `-110`, `"+105"`, `"EVEN"`; 0 means no price. */
export function americanPrice(given: unknown): number | undefined {
  const text = asText(given);
  if (text === undefined) return undefined;
  if (/^(even|ev)$/i.test(text)) return 100;
  const number = asNumber(text);
  if (number === undefined) return undefined;
  const price = Math.sign(number) * Math.round(Math.abs(number));
  return Math.abs(price) >= 100 && Math.abs(price) <= LARGEST_PRICE ? price : undefined;
}

/** A fractional price, `10/11`, as American odds. Computed in whole numbers, so that halves stay exact. */
export function fractionalPrice(given: unknown): number | undefined {
  const parts = /^(\d+)\/(\d+)$/.exec(asText(given) ?? '');
  const [won, staked] = [Number(parts?.[1] ?? 0), Number(parts?.[2] ?? 0)];
  if (won === 0 || staked === 0) return undefined;
  const price = won >= staked ? Math.round((100 * won) / staked) : -Math.round((100 * staked) / won);
  return Math.abs(price) <= LARGEST_PRICE ? price : undefined;
}

/** A price of ESPN's newer form, `{american, decimal, fraction}` or `{odds}`. */
export function quotedPrice(given: unknown): number | undefined {
  const quote = asRecord(given);
  return (
    americanPrice(quote['american']) ??
    americanPrice(quote['odds']) ??
    americanPrice(quote['alternateDisplayValue']) ??
    fractionalPrice(quote['fraction']) ??
    americanFromDecimal(asNumber(quote['decimal']) ?? 0)
  );
}

/** A line of a hundred points or more is a misplaced price. */
const LONGEST_HANDICAP = 100;

/** A handicap: `+2.5`, `-1.5`, `PK`. */
export function handicap(given: unknown): number | undefined {
  const text = asText(given);
  if (text === undefined) return undefined;
  if (/^(pk|pick|pick'em)$/i.test(text)) return 0;
  const number = asNumber(text);
  return number !== undefined && Math.abs(number) < LONGEST_HANDICAP ? number + 0 : undefined;
}

/** A total: `39.5`, `o2.5`, `u41`. A value below zero is a price. */
export function totalLine(given: unknown): number | undefined {
  const number = asNumber((asText(given) ?? '').replace(/^[ou]/i, ''));
  return number !== undefined && number > 0 ? number : undefined;
}
