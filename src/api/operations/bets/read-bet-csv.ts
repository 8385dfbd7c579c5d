import { Readable } from 'node:stream';
import { americanFromDecimal } from '../../../domain/odds/american-odds.ts';
import { openCsv } from '../../../sources/parsing/csv.ts';
import { badRequest } from '../../calls/api-errors.ts';
import { MAX_BETS_AT_ONCE } from './bet-body.ts';

const TEXTS = ['market_key', 'side', 'scope', 'text', 'book', 'placed_at'] as const;
const NUMBERS = ['event_id', 'line', 'player_id', 'team_id', 'price', 'stake'] as const;
const CLUES = { sport: 'text', league: 'text', event_id: 'number', team_id: 'number', team_text: 'text' } as const;

/** Names that people give to columns. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['odds', 'price'],
  ['american_odds', 'price'],
  ['decimal_odds', 'price'],
  ['bet', 'text'],
  ['pick', 'text'],
  ['selection', 'text'],
  ['market', 'market_key'],
  ['point', 'line'],
  ['risk', 'stake'],
  ['wager', 'stake'],
  ['amount', 'stake'],
  ['units', 'stake'],
  ['bookmaker', 'book'],
  ['sportsbook', 'book'],
  ['date', 'placed_at'],
  ['placed', 'placed_at'],
  ['time', 'placed_at'],
  ['sport', 'clues_sport'],
  ['league', 'clues_league'],
]);

const columnOf = (name: string): string => {
  const plain = name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  return ALIASES.get(plain) ?? plain;
};

/** Bets as the JSON body has them, and the line of the file on which each ends, from 1. */
export interface BetRows {
  readonly bets: readonly Readonly<Record<string, unknown>>[];
  readonly lines: readonly number[];
}

/**
 * The rows of a CSV text whose first line names the columns. Empty cells are absent; a cell that does not fit stays text,
 * which the schema refuses; other columns are ignored.
 * @throws ApiError bad_request if it is no CSV
 */
export async function readBetCsv(text: string): Promise<BetRows> {
  const bets: Readonly<Record<string, unknown>>[] = [];
  const lines: number[] = [];
  try {
    const csv = await openCsv(Readable.from([text]));
    const columns = new Map<string, string>();
    for (const name of csv.header) if (!columns.has(columnOf(name))) columns.set(columnOf(name), name);
    for await (const row of csv.rows) {
      bets.push(readBetRow((column) => (columns.has(column) ? row.get(columns.get(column)!) : '')));
      lines.push(row.line);
      // One more than may come at once: the schema refuses so many.
      if (bets.length > MAX_BETS_AT_ONCE) break;
    }
    csv.close();
  } catch (error) {
    throw badRequest(`The body is no CSV: ${(error as Error).message}`);
  }
  return { bets, lines };
}

/** One bet as the JSON body has it. @param cell what stands in a column, by the name of the API; empty where nothing does */
export function readBetRow(cell: (column: string) => string): Record<string, unknown> {
  const bet: Record<string, unknown> = {};
  for (const name of TEXTS) if (cell(name) !== '') bet[name] = cell(name);
  for (const name of NUMBERS) if (cell(name) !== '') bet[name] = numberOf(cell(name));
  // A text says all of these in words; columns beside it are its clues.
  const clues: Record<string, unknown> = {};
  for (const [name, type] of Object.entries(CLUES)) {
    const value = cell(`clues_${name}`);
    if (value !== '') clues[name] = type === 'number' ? numberOf(value) : value;
  }
  if (bet['text'] !== undefined && Object.keys(clues).length > 0) bet['clues'] = clues;
  if (typeof bet['price'] === 'number' && isDecimal(bet['price'])) {
    bet['decimal'] = bet['price'];
    bet['price'] = americanFromDecimal(bet['price']);
  }
  if (typeof bet['placed_at'] === 'string') bet['placed_at'] = toTime(bet['placed_at']);
  return bet;
}

/** A number, perhaps with its sign, a currency or commas between thousands: `+150`, `$1,000.50`. */
const NUMBER = /^[+-]?[$€£]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?$/;

function numberOf(text: string): number | string {
  const plain = text.replaceAll('−', '-');
  return /\d/.test(plain) && NUMBER.test(plain) ? Number(plain.replaceAll(/[$€£,+]/g, '')) : text;
}

/** Decimal odds are below 100, American ones are not. */
const isDecimal = (price: number): boolean => price > 1 && price < 100;

/** A day, or a day with a time, is read as UTC. */
function toTime(text: string): string {
  const parts = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d)?))?$/.exec(text);
  return parts ? `${parts[1]}T${parts[2] ?? '00:00'}Z` : text;
}
