import type { ImportNotes } from '../importing/import-notes.ts';
import { moneylineMarket, type PricedSide } from '../parsing/moneyline.ts';

/** One row of a market, from an Action Network scoreboard or a file made from scoreboards. */
export interface PriceRow {
  /** Id of the bookmaker. */
  readonly book: string;
  readonly type: string;
  readonly period: string;
  readonly side: string;
  /** The line; 0 on moneylines. */
  readonly value: number | undefined;
  /** American odds; 0 means no price. */
  readonly odds: number | undefined;
  /** The side whose points a team total counts. */
  readonly team?: 'home' | 'away' | undefined;
  readonly live: boolean;
  /** Percentage of the bets and of the money on this side; undefined if the row does not state it. */
  readonly tickets?: number | undefined;
  readonly money?: number | undefined;
}

interface Market {
  readonly key: string;
  readonly scope?: string;
  readonly outcomes: Record<string, unknown>[];
}

const KEYS: Readonly<Record<string, string>> = {
  moneyline: 'h2h',
  spread: 'spreads',
  total: 'totals',
  core_bet_type_6_team_score: 'team_totals',
};
/** The periods that have a scope in the feed contract; the scope `match` is omitted in messages. */
const SCOPES: Readonly<Record<string, string>> = {
  event: 'match',
  game: 'match',
  firsthalf: '1H',
  firstfive: 'F5',
  firstfiveinnings: 'F5',
};
const SIDES: Readonly<Record<string, readonly string[]>> = {
  h2h: ['home', 'away', 'draw'],
  spreads: ['home', 'away'],
  totals: ['over', 'under'],
  team_totals: ['over', 'under'],
};
const LARGEST = 1_000_000;

/** The markets of one bookmaker's rows. Rows that the feed contract cannot express become notes. */
export function marketsOf(rows: readonly PriceRow[], sport: string, notes: ImportNotes): Market[] {
  const markets = new Map<string, Market & { rowBySide: Map<string, PriceRow> }>();
  for (const row of rows) {
    const key = KEYS[row.type];
    const scope = SCOPES[row.period];
    const outcome = key && scope ? outcomeOf(key, row, notes) : undefined;
    if (!key) notes.add('unsupported_market', `Prices of the market "${row.type}" were left out.`);
    else if (!scope) notes.add('unsupported_period', `Prices of the period "${row.period}" were left out.`);
    if (!key || !scope || !outcome) continue;
    const name = `${key} ${scope}`;
    let market = markets.get(name);
    if (!market) {
      market = { key, ...(scope === 'match' ? {} : { scope }), outcomes: [], rowBySide: new Map() };
      markets.set(name, market);
    }
    const sideKey = `${row.side} ${row.team ?? ''}`;
    const before = market.rowBySide.get(sideKey);
    if (!before) market.outcomes.push(outcome);
    else {
      notes.add('duplicate_price', 'A book gives two prices of one outcome at one moment; one of them was left out.');
      // Rows without percentages are the original opening prices; the others repeat the closing prices.
      if (row.tickets !== undefined || before.tickets === undefined) continue;
      market.outcomes[[...market.rowBySide.keys()].indexOf(sideKey)] = outcome;
    }
    market.rowBySide.set(sideKey, row);
  }
  return [...markets.values()].flatMap(({ rowBySide, ...market }) => {
    if (market.key !== 'h2h' || market.scope !== undefined) return [market];
    const moneyline = moneylineMarket(sport, market.outcomes as unknown as readonly PricedSide[], notes);
    return moneyline
      ? [{ ...market, key: moneyline.key, ...(moneyline.outcomes.length === 0 && { outcomes: [] }) }]
      : [];
  });
}

function outcomeOf(key: string, row: PriceRow, notes: ImportNotes): Record<string, unknown> | undefined {
  if (row.live) {
    notes.add('live_price', 'Prices taken during play were left out: the file does not say when.');
    return undefined;
  }
  if (!SIDES[key]!.includes(row.side)) {
    notes.add('unknown_side', `A price on the side "${row.side}" was left out: it says no team.`);
    return undefined;
  }
  if (key === 'team_totals' && row.team === undefined) {
    notes.add('unknown_side', "A team total was left out: its team is neither of the game's.");
    return undefined;
  }
  const price = row.odds === undefined ? undefined : Math.round(row.odds);
  if (price === undefined || Math.abs(price) < 100 || Math.abs(price) > LARGEST) {
    notes.add('no_price', 'A row without a price was left out.');
    return undefined;
  }
  if (key === 'h2h') return { outcome: row.side, price };
  if (row.value === undefined) {
    notes.add('no_line', 'A price without its line was left out.');
    return undefined;
  }
  return { outcome: row.side, price, point: row.value, ...(key === 'team_totals' ? { team: row.team } : {}) };
}
