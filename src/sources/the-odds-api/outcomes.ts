import type { SportSlug } from '../../domain/catalogue/catalogue.ts';
import { americanFromDecimal, statedDecimal } from '../../domain/odds/american-odds.ts';
import { THREE_WAY } from '../../domain/odds/three-way.ts';
import type { ImportNotes } from '../importing/import-notes.ts';
import { asNumber, asRecord, asRecords, asText, type JsonObject } from '../parsing/json-values.ts';
import { isWithoutDraw, noteWithoutDraw, type PricedSide } from '../parsing/moneyline.ts';
import { type MarketKey, marketOf } from './markets.ts';
import type { Sides } from './sides.ts';

export type OddsFormat = 'american' | 'decimal';
const LARGEST = 1_000_000;

/** American odds of a price in an answer; undefined if it is no price. */
function americanOf(price: number | undefined, format: OddsFormat): number | undefined {
  if (price === undefined) return undefined;
  if (format === 'decimal') return americanFromDecimal(price);
  const rounded = Math.sign(price) * Math.round(Math.abs(price));
  return Math.abs(rounded) >= 100 && Math.abs(rounded) <= LARGEST ? rounded : undefined;
}

/**
 * The market in the terms of the feed contract; undefined, with a note, if it cannot be expressed or has a broken price.
 * A moneyline of soccer that leaves no room for a draw is withdrawn, as by `moneylineMarket`.
 */
export function marketFrom(
  market: JsonObject,
  { sides, sport }: { sides: Sides; sport: SportSlug },
  format: OddsFormat,
  notes: ImportNotes,
): JsonObject | undefined {
  const name = asText(market['key']) ?? '';
  const known = marketOf(name, sport);
  if (!known) {
    notes.add('unsupported_market', `The market "${name}" was left out: the feed contract has no words for it.`);
    return undefined;
  }
  const outcomes: JsonObject[] = [];
  for (const outcome of asRecords(market['outcomes'])) {
    const unpriced = outcomeWithoutPrice(outcome, known, sides, notes);
    if (!unpriced) continue;
    const given = asNumber(outcome['price']);
    const price = americanOf(given, format);
    if (price === undefined) {
      notes.add('price_dropped', `The market "${name}" of one bookmaker was left out: a price of it is none.`);
      return undefined;
    }
    const decimal = format === 'decimal' ? statedDecimal(price, given) : undefined;
    const { outcome: side, ...rest } = unpriced;
    outcomes.push({ outcome: side, price, ...rest, ...(decimal === undefined ? {} : { decimal }) });
  }
  if (outcomes.length === 0) return undefined;
  if (known.key === 'h2h' && !known.scope && isWithoutDraw(sport, outcomes as unknown as readonly PricedSide[])) {
    noteWithoutDraw(notes);
    return { key: 'h2h', outcomes: [] };
  }
  const { key, scope, alternate, shared } = known;
  return {
    key,
    ...(scope ? { scope } : {}),
    ...(alternate ? { alternate } : {}),
    ...(shared ? { complete: false } : {}),
    outcomes,
  };
}

/** An outcome without its price. */
function outcomeWithoutPrice(
  outcome: JsonObject,
  known: MarketKey,
  sides: Sides,
  notes: ImportNotes,
): JsonObject | undefined {
  const name = asText(outcome['name']) ?? '';
  const description = asText(outcome['description']);
  const point = asNumber(outcome['point']);
  const drop = (why: string): undefined => {
    notes.add('outcome_dropped', `An outcome of ${known.key} was left out: ${why}.`);
    return undefined;
  };
  if (known.prop) {
    if (!description) return drop('it names no player');
    const side = known.isYesNo ? yesNo(name) : overUnder(name);
    if (!side) return drop(`"${name}" is neither ${known.isYesNo ? 'Yes nor No' : 'Over nor Under'}`);
    if (known.isYesNo) return { outcome: side, point: 0.5, player: description };
    return point === undefined ? drop('it has no line') : { outcome: side, point, player: description };
  }
  if (known.key === 'totals' || known.key === 'team_totals') {
    const side = overUnder(name);
    if (!side) return drop(`"${name}" is neither Over nor Under`);
    if (point === undefined) return drop('it has no line');
    if (known.key === 'totals') return { outcome: side, point };
    const team = description === undefined ? undefined : sides.of(description);
    return team === 'home' || team === 'away' ? { outcome: side, point, team } : drop('it names neither team');
  }
  const isMoneyline = known.key === 'h2h' || known.key === THREE_WAY;
  const side = isMoneyline && name === 'Draw' ? 'draw' : sides.of(name);
  if (!side) return drop(`"${name}" is neither side`);
  if (isMoneyline) return { outcome: side };
  return point === undefined ? drop('it has no line') : { outcome: side, point };
}

const yesNo = (name: string): 'over' | 'under' | undefined =>
  /^yes$/i.test(name) ? 'over' : /^no$/i.test(name) ? 'under' : undefined;

const overUnder = (name: string): 'over' | 'under' | undefined =>
  /^over$/i.test(name) ? 'over' : /^under$/i.test(name) ? 'under' : undefined;

/** The price format of an answer. No American price lies between -100 and 100, so one such price makes the answer
 *  decimal. 0 is no price. */
export function formatOf(events: readonly JsonObject[]): OddsFormat {
  for (const event of events) {
    for (const book of asRecords(event['bookmakers'])) {
      for (const market of asRecords(book['markets'])) {
        for (const outcome of asRecords(market['outcomes'])) {
          const price = asNumber(asRecord(outcome)['price']);
          if (price !== undefined && price !== 0 && Math.abs(price) < 100) return 'decimal';
        }
      }
    }
  }
  return 'american';
}
