import { group } from 'd3-array';
import { type EventStatus, findLeague, type Sport } from '../../domain/catalogue/catalogue.ts';
import { isSoccer, isTennis } from '../../domain/catalogue/sport-rules.ts';
import { betTokensOf } from '../../intelligence/prices/bet-tokens.ts';
import type { QuotedMarket } from '../../intelligence/prices/quotes.ts';
import { dataTable, type Html, html } from '../layout/html.ts';
import { emptyState } from '../layout/states.ts';
import { percent } from '../record/calibration-plot.ts';
import type { DayForecasts, GameForecasts } from './day-forecasts.ts';

/** A forecast that is this far from the market's probability is marked. */
const FAR_APART = 0.05;

interface BetColumn {
  readonly market: QuotedMarket;
  readonly isDraw?: true;
  readonly heading: string;
}

/** The outcomes that are shown, the first of each market and the draw: the others follow from them. */
function columnsOf({ slug }: Sport): readonly BetColumn[] {
  const first = isTennis(slug) ? 'First' : 'Home';
  return [
    { market: 'h2h', heading: `${first} wins` },
    ...(isSoccer(slug) ? [{ market: 'h2h', isDraw: true, heading: 'Draw' } as const] : []),
    { market: 'spreads', heading: `${first} covers` },
    { market: 'totals', heading: 'Over' },
  ];
}

const LINE_HEADINGS: Readonly<Record<QuotedMarket, string | undefined>> = {
  h2h: undefined,
  spreads: 'Spread',
  totals: 'Total',
};

/** The forecasts of a day beside the market, a table for each league. */
export function dayTables(sport: Sport, date: string, { games }: DayForecasts): Html {
  const byLeague = group(games, ({ league }) => league);
  const leagues = sport.leagues.filter(({ slug }) => byLeague.has(slug));
  return html`${leagues.map(({ slug, name }) => leagueTable(sport, `${name}, ${date}`, name, byLeague.get(slug)!))}
${games.length > 0 && notes(sport, games)}`;
}

/** @param nearest links to the nearest days with games */
export const noGames = (name: string, nearest: readonly Html[]): Html =>
  emptyState(
    html`No game of ${name} is known on this day. ${nearest.length > 0 ? html`The nearest days with games: ${nearest.map((link, index) => html`${index > 0 && ' and '}${link}`)}.` : 'Try another sport.'}`,
  );

function leagueTable(sport: Sport, label: string, name: string, games: readonly GameForecasts[]): Html {
  const columns = columnsOf(sport);
  const headings = [
    'Start (UTC)',
    'Game',
    ...columns.flatMap(({ market, heading }) =>
      [LINE_HEADINGS[market], heading, 'Market'].flatMap((text) =>
        text === undefined ? [] : [[text, 'number'] as const],
      ),
    ),
  ];
  return html`<h3>${name}</h3>
${dataTable(
  label,
  headings,
  games.map((game) => gameRow(columns, game)),
)}`;
}

function gameRow(columns: readonly BetColumn[], game: GameForecasts): Html {
  const { name, starts_at, status, sport, bets } = game;
  return html`<tr><td><time datetime="${starts_at}">${starts_at.slice(11, 16)}</time>${STATE_WORDS[status] && html` <span class="state ${status}">${STATE_WORDS[status]}</span>`}</td><th scope="row">${name}</th>${columns.map(
    ({ market, isDraw = false }) => {
      const token = betTokensOf(sport, market).find(({ side }) => (side === 'draw') === isDraw)!;
      return betCells(
        market,
        bets.find(({ bet_type }) => bet_type === token.bet_type),
      );
    },
  )}</tr>\n`;
}

/** States that a start alone does not say. */
const STATE_WORDS: Readonly<Partial<Record<EventStatus, string>>> = {
  inprogress: 'live',
  suspended: 'suspended',
  delayed: 'delayed',
  final: 'over',
  walkover: 'walkover',
  postponed: 'postponed',
  cancelled: 'cancelled',
};

function betCells(market: QuotedMarket, bet: GameForecasts['bets'][number] | undefined): Html {
  const line = bet?.market.line ?? null;
  const forecast = bet?.probability ?? null;
  const fair = bet?.fair?.probability ?? null;
  return html`${market !== 'h2h' && html`<td class="number line">${line === null ? NONE : lineText(line, market)}</td>`}<td class="number forecast-cell">${forecast === null ? NONE : html`${apartMark(forecast, fair)}${percent(forecast)}`}</td><td class="number market-cell">${fair === null ? NONE : percent(fair)}</td>`;
}

const NONE = '–';

function apartMark(forecast: number, fair: number | null): Html | false {
  if (fair === null || Math.abs(forecast - fair) < FAR_APART) return false;
  const [mark, words] = forecast > fair ? ['▲', 'above the market'] : ['▼', 'below the market'];
  return html`<span class="apart" title="5 points or more ${words}"><span aria-hidden="true">${mark}</span><span class="hidden-text">${words}: </span></span> `;
}

/** A handicap has a sign, a total has none. */
const lineText = (line: number, market: QuotedMarket): string =>
  market === 'totals' || line === 0 ? String(line) : line > 0 ? `+${line}` : `−${-line}`;

function notes(sport: Sport, games: readonly GameForecasts[]): Html {
  const learning = new Set(games.filter(({ isLearning }) => isLearning).map(({ league }) => league));
  return html`<p class="facts">Beside each forecast, which sees no price, stands the market’s probability without the bookmakers’ margin. ▲ and ▼: 5 points or more above or below it. From a game’s start on both stand still. A dash: nobody offers the line, no reference book has a fresh price, or fewer than 100 results of the league are known.${isTennis(sport.slug) && ' First is the player who is named first.'}</p>
${[...learning].map((league) => html`<p class="notice">The results of ${findLeague(league)?.abbreviation ?? league} are still being learned: its forecasts are missing.</p>`)}`;
}
