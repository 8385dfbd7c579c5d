import type { ImportNotes } from '../importing/import-notes.ts';
import { marketsOf, type PriceRow } from './price-rows.ts';

/** UTC times of the prices of a game. */
export interface PriceTimes {
  /** When the consensus opened. If unknown, its opening prices are left out. */
  readonly opening?: string;
  /** When all other prices and the splits were read. */
  readonly latest: string;
}

/** The odds and splits messages of one game's rows, with bookmakers ordered by id. */
export function* marketMessages(
  event: Readonly<Record<string, unknown>>,
  { sport, ...moments }: PriceTimes & { readonly sport: string },
  rows: readonly PriceRow[],
  notes: ImportNotes,
): Generator<Record<string, unknown>> {
  const byBook = new Map<string, PriceRow[]>();
  for (const row of rows) {
    const known = byBook.get(row.book);
    if (known) known.push(row);
    else byBook.set(row.book, [row]);
  }
  const books = [...byBook].sort(([a], [b]) => Number(a) - Number(b) || (a < b ? -1 : 1));
  for (const [book, ofBook] of books) {
    const at = book === OPENING ? moments.opening : moments.latest;
    const markets = at === undefined ? [] : marketsOf(ofBook, sport, notes);
    if (markets.length === 0) continue;
    yield { kind: 'odds', source: 'action-network', at, ...event, bookmaker: bookmakerOf(book), markets };
  }
  for (const [book, ofBook] of books) {
    // Files copy the percentages of the consensus to its opening prices, which are a day older.
    if (book === OPENING) continue;
    const markets = splitsOf(ofBook, notes);
    if (!markets) continue;
    const bookmaker = book === CONSENSUS ? {} : { bookmaker: bookmakerOf(book) };
    yield { kind: 'splits', source: 'action-network', at: moments.latest, ...event, ...bookmaker, markets };
  }
}

/** Action Network's ids of the consensus, and of its opening prices. */
const CONSENSUS = '15';
const OPENING = '30';

const SLUGS: Readonly<Record<string, string>> = {
  [CONSENSUS]: 'consensus',
  [OPENING]: 'consensus',
  '68': 'betmgm',
  '69': 'caesars',
  '71': 'betrivers',
};

/** The slug of a bookmaker id. An id without a known slug becomes `action_ID`. */
const bookmakerOf = (book: string): string => SLUGS[book] ?? `action_${book.replace(/[^0-9]/g, '')}`;

const SIDES: Readonly<Record<string, readonly [string, string]>> = {
  moneyline: ['home', 'away'],
  spread: ['home', 'away'],
  total: ['over', 'under'],
};

/** The splits of one bookmaker's rows by market; undefined if no row has any. */
function splitsOf(rows: readonly PriceRow[], notes: ImportNotes): Record<string, unknown> | undefined {
  const markets: Record<string, unknown> = {};
  for (const [market, sides] of Object.entries(SIDES)) {
    const told = rows.filter((row) => row.type === market && isWholeGame(row) && !row.live && hasPercent(row));
    const split = splitOf(told, sides, notes);
    if (split) markets[market] = split;
  }
  return Object.keys(markets).length > 0 ? markets : undefined;
}

const isWholeGame = (row: PriceRow): boolean => row.period === 'event' || row.period === 'game';
const hasPercent = (row: PriceRow): boolean => row.tickets !== undefined && row.money !== undefined;

function splitOf(rows: readonly PriceRow[], [first, second]: readonly [string, string], notes: ImportNotes) {
  const sum = (of: 'tickets' | 'money'): number => rows.reduce((total, row) => total + row[of]!, 0);
  const [tickets, money] = [sum('tickets'), sum('money')];
  // The source writes 0 and 0 for unknown values, not for a market without bets.
  if (tickets === 0 && money === 0) return undefined;
  const pair = [first, second].map((side) => rows.find((row) => row.side === side));
  if (!pair[0] || !pair[1]) {
    notes.add('splits_incomplete', 'The splits of a market were left out: only one side has any.');
    return undefined;
  }
  if (tickets === 0 || money === 0) {
    const known = tickets === 0 ? 'money' : 'bets';
    notes.add('splits_incomplete', `The splits of a market were left out: only those of the ${known} are known.`);
    return undefined;
  }
  if (pair.some((row) => !isPercent(row!.tickets!) || !isPercent(row!.money!))) {
    notes.add('splits_incomplete', 'The splits of a market were left out: they are no percentages.');
    return undefined;
  }
  return { [first]: sideOf(pair[0]), [second]: sideOf(pair[1]) };
}

const isPercent = (value: number): boolean => value >= 0 && value <= 100;

function sideOf(row: PriceRow): Record<string, unknown> {
  const price = row.odds !== undefined && Math.abs(row.odds) >= 100 ? Math.round(row.odds) : undefined;
  return {
    bets_pct: Math.round(row.tickets!),
    handle_pct: Math.round(row.money!),
    price,
    line: row.type === 'moneyline' ? undefined : row.value,
  };
}
