import { isPerhapsThousands, readNumber, type UnreadCell, unread } from './sheet-cells.ts';

/** A number with the sign or the name of a currency before or behind it, or `u` for units. */
const STAKE = /^(?<before>[a-z]{0,3}\p{Sc}|[a-z]{3})?\s*(?<number>[\d.,]+)\s*(?<after>\p{Sc}|[a-z]{3}|u|units?)?$/iu;

/** One unit, as it may be written. */
const SAME_UNITS: ReadonlyMap<string, string> = new Map([
  ['unit', 'u'],
  ['units', 'u'],
  ['$', 'usd'],
  ['€', 'eur'],
  ['£', 'gbp'],
]);

/**
 * The stakes of a sheet. They are in one unit of the account's own, so what names another unit than the rows before is
 * refused: sums of both would mean nothing.
 * @param hasCommas whether the sheet writes decimal commas
 */
export function readStakes(cells: readonly string[], hasCommas: boolean): readonly (number | UnreadCell | undefined)[] {
  let common: string | undefined;
  return cells.map((cell) => {
    if (cell === '') return undefined;
    const { before, number = cell, after } = STAKE.exec(cell)?.groups ?? {};
    if (hasCommas && isPerhapsThousands(number)) {
      return unread(cell, 'may be a thousand or a fraction: write it without a point or comma between thousands');
    }
    const value = readNumber(number, hasCommas);
    if (value === undefined) return unread(cell, 'must be a number, perhaps with its unit: 10, $10, 10 USD or 1u');
    const written = (after ?? before)?.toLowerCase();
    const unit = written === undefined ? undefined : (SAME_UNITS.get(written) ?? written);
    common ??= unit;
    if (unit === undefined || unit === common) return value;
    return unread(cell, `must be in the unit of the rows before: ${unit} is not ${common}`);
  });
}
