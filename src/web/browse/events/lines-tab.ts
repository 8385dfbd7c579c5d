import { dataTable, type Html, html } from '../../layout/html.ts';
import { emptyState } from '../../layout/states.ts';
import { publicTime } from '../../layout/time-tag.ts';
import type { EventLines, EventSnapshot, Market, PeriodLine } from '../../live/answers/live-page-answers.ts';
import { bestPrices, cellKey } from '../../live/page/view-model/best-prices.ts';
import { capitalized } from '../../live/page/view-model/capitalized.ts';
import { homeSideIndex, shortName, sortOutcomes } from '../../live/page/view-model/event-sides.ts';
import { formatPoint } from '../../live/page/view-model/odds-format.ts';
import { SCOPE_NAMES } from '../../live/page/view-model/offered-lines.ts';
import { MARKET_NAMES, MARKETS } from '../../live/page/view-model/story-model.ts';
import { dayInWords } from '../../live/page/view-model/times.ts';
import { numberCell, numberHeading, panel, priceText } from '../panels.ts';
import { type OfferedRow, offeredTable } from './offered-table.ts';

interface Column {
  readonly market: Market;
  readonly outcome: string;
  readonly name: string;
}

/**
 * The prices of all bookmakers, how they moved, the lines of periods and sides, and what the public bets.
 * @param moves the part that tells how prices moved
 */
export const linesTab = (snapshot: EventSnapshot, lines: EventLines, moves: Html): Html => html`${panel(
  'Bookmakers',
  booksTable(snapshot),
  booksNote(snapshot),
)}
${periodLines(snapshot, lines)}${teamTotals(lines)}${moves}${splitsTable(snapshot)}`;

/** UTC days of the newest prices. */
const daysOf = (odds: EventSnapshot['odds']): string[] => [
  ...new Set(odds.map(({ captured_at }) => captured_at.slice(0, 10))),
];

function booksNote({ odds }: EventSnapshot): string | undefined {
  if (odds.length === 0) return undefined;
  const [day, ...others] = daysOf(odds);
  const { weekday, day: date } = dayInWords(day!, Date.parse(day!), 'en-GB');
  const marked = 'Marked: the best price at the line that most of them offer.';
  return others.length > 0 ? marked : `${weekday}, ${date} ${day!.slice(0, 4)}. ${marked}`;
}

function booksTable(snapshot: EventSnapshot): Html {
  const { odds } = snapshot;
  if (odds.length === 0) return emptyState('No bookmaker has prices.');
  const columns = columnsOf(snapshot);
  const best = bestPrices(odds);
  // The day stands above the table where it is that of all prices.
  const isOneDay = daysOf(odds).length === 1;
  const cell = (book: EventSnapshot['odds'][number], { market, outcome }: Column): Html => {
    const found = book.markets
      .find((other) => other.market === market)
      ?.outcomes.find((other) => other.outcome === outcome);
    if (!found) return numberCell(null);
    const point = found.point === null ? '' : `${formatPoint(found.point, market)} `;
    const isBest = best.has(cellKey(book.bookmaker.slug, market, outcome));
    const text = html`${point}${priceText(found.price)}`;
    return numberCell(isBest ? html`<span class="best">${text}<span class="hidden-text"> best</span></span>` : text);
  };
  return dataTable(
    'Prices of all bookmakers',
    [
      'Book',
      ...columns.map(({ market, name }) => numberHeading(`${MARKET_NAMES[market]}, ${name}`)),
      numberHeading('As of'),
    ],
    odds.map(
      (book) =>
        html`<tr><th scope="row">${book.bookmaker.name}</th>${columns.map((column) => cell(book, column))}${numberCell(publicTime(book.captured_at, isOneDay ? 'clock' : 'minute'))}</tr>
`,
    ),
  );
}

/** One column for each outcome that any bookmaker prices. */
function columnsOf({ odds, event }: EventSnapshot): Column[] {
  return MARKETS.flatMap((market) => {
    const outcomes = odds
      .flatMap(({ markets }) => markets.filter((own) => own.market === market))
      .flatMap((own) => own.outcomes);
    const columns = new Map(
      outcomes.map(({ outcome, name }): [string, Column] => {
        const side = event.sides.find(({ role }) => role === outcome);
        return [outcome, { market, outcome, name: side ? shortName(side) : name }];
      }),
    );
    return sortOutcomes([...columns.values()], event.sides);
  });
}

const OFFERED_NOTE =
  'Under each side is its best price, and who offers it; a number after + counts others at the same price.';

const isSpread = ({ market }: PeriodLine): boolean => market === 'first_half_spreads';

function periodLines({ event: { sides } }: EventSnapshot, { period_odds, bookmakers }: EventLines): Html {
  const [first] = period_odds;
  const home = sides[homeSideIndex(sides)];
  const away = sides[1 - homeSideIndex(sides)];
  if (!first || !home || !away) return html``;
  const spreads = period_odds.filter(isSpread).map(
    ({ line, current, home_result, books }): OfferedRow => ({
      name: shortName(home),
      line: formatPoint(line, 'spreads'),
      current: current === null ? null : formatPoint(current, 'spreads'),
      result: home_result,
      books,
    }),
  );
  const totals = period_odds
    .filter((line) => !isSpread(line))
    .map(({ line, ...rest }): OfferedRow => ({ ...rest, name: 'Total', line: String(line) }));
  const name = `${SCOPE_NAMES[first.scope] ?? first.scope} lines`;
  return panel(
    name,
    html`${spreads.length > 0 && offeredTable(`${name}, spreads`, spreads, { home: shortName(home), away: shortName(away) }, bookmakers)}
${totals.length > 0 && offeredTable(`${name}, totals`, totals, OVER_UNDER, bookmakers)}`,
    OFFERED_NOTE,
  );
}

export const OVER_UNDER = { over: 'Over', under: 'Under' } as const;

function teamTotals({ team_props, bookmakers }: EventLines): Html {
  if (team_props.length === 0) return html``;
  const rows = team_props.map(({ team, line, ...rest }): OfferedRow => ({ ...rest, name: team, line: String(line) }));
  return panel('Team totals', offeredTable('Team totals', rows, OVER_UNDER, bookmakers), OFFERED_NOTE);
}

/** Markets as splits call them. */
const MARKET_WORDS: Readonly<Record<string, string>> = { moneyline: 'Moneyline', spread: 'Spread', total: 'Total' };

function splitsTable({ splits, event }: EventSnapshot): Html {
  if (!splits) return html``;
  const rows = splits.markets.flatMap(({ market, sides }) =>
    sides.map(({ side, bets_pct, handle_pct }) => {
      const known = event.sides.find(({ role }) => role === side);
      const name = known ? shortName(known) : capitalized(side);
      return html`<tr><th scope="row">${MARKET_WORDS[market] ?? market}, ${name}</th>${numberCell(`${bets_pct}%`)}${numberCell(`${handle_pct}%`)}</tr>
`;
    }),
  );
  return panel(
    'Public bets',
    dataTable('Public bets', ['Bet', numberHeading('Bets'), numberHeading('Money')], rows),
    html`As of ${publicTime(splits.captured_at)}.`,
  );
}
