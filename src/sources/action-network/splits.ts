import type { NoteBook } from '../importing/note-book.ts';
import type { PriceRow } from './prices.ts';

const SIDES: Readonly<Record<string, readonly [string, string]>> = {
  moneyline: ['home', 'away'],
  spread: ['home', 'away'],
  total: ['over', 'under'],
};

/** The splits of one book's rows by market; undefined where none of them says anything. */
export function splitsOf(rows: readonly PriceRow[], notes: NoteBook): Record<string, unknown> | undefined {
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

function splitOf(rows: readonly PriceRow[], [first, second]: readonly [string, string], notes: NoteBook) {
  const sum = (of: 'tickets' | 'money'): number => rows.reduce((total, row) => total + row[of]!, 0);
  const [tickets, money] = [sum('tickets'), sum('money')];
  // 0 and 0 is how the source writes that it knows nothing, not that nobody bets.
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
