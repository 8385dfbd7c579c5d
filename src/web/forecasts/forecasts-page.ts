import { SPORTS, type Sport } from '../../domain/catalogue/catalogue.ts';
import { DAY, formatDate } from '../../domain/primitives/time.ts';
import { hiddenField, textField } from '../layout/fields.ts';
import { type Html, html } from '../layout/html.ts';
import type { SitePages } from '../layout/navigation.ts';
import { BASE_ASSETS, styleAsset } from '../layout/page-assets.ts';
import { sitePage } from '../layout/site-page.ts';
import { type MarketWorth, nameOfSport, recordSection } from '../record/record-section.ts';
import { FORECASTS_STYLE } from './forecasts-style.ts';

/** What the page loads beside the style of all pages. The address is that of the record, which was a page once. */
export const FORECASTS_STYLE_ASSET = styleAsset('/record/assets/record', FORECASTS_STYLE);

export const FORECASTS_PATH = '/forecasts';

export interface ForecastsPageView {
  readonly sport: Sport;
  readonly league: string | undefined;
  /** YYYY-MM-DD, in UTC. */
  readonly date: string;
  /** The UTC date now. */
  readonly today: string;
  /** The tables of the day, or why there are none. */
  readonly games: Html;
  /** Query of the page with the games that are left out; undefined if none are. */
  readonly more: string | undefined;
  /** Undefined until the record is counted for the first time. */
  readonly markets: readonly MarketWorth[] | undefined;
  /** What the header links to; default: all pages. */
  readonly pages?: SitePages | undefined;
  readonly isSimulated: boolean;
}

/** The forecasts of a day beside the market, and what past ones were worth. It needs no script. */
export function forecastsPage(view: ForecastsPageView): string {
  const { sport, league, date, games, more, markets, pages, isSimulated } = view;
  return sitePage({
    path: FORECASTS_PATH,
    title: `Forecasts: ${nameOfSport(sport)} · Ledgerline`,
    description: 'This server’s own forecasts beside the market, and what they were worth.',
    pages,
    styles: [BASE_ASSETS.style.path, FORECASTS_STYLE_ASSET.path],
    skip: 'Skip to the forecasts',
    className: 'record',
    isSimulated,
    content: html`<h1>Forecasts</h1>
<p class="lead">What this server’s own models, which see no price, expect of a day’s games, beside the market; and <a href="#record">what they were worth</a>. Of the bookmakers: <a href="/forecasts/markets">how good each market is</a>.</p>
<nav aria-label="Sports">${choiceList(SPORTS, sport, (one) => [linkTo({ sport: one.slug }), nameOfSport(one)])}</nav>
<section class="forecasts" aria-labelledby="day">
<h2 id="day">${dayText(date)}</h2>
${dayLinks(view)}
${sport.leagues.length > 1 && leagueList(sport, league, date)}
${games}
${more !== undefined && html`<p><a href="${FORECASTS_PATH}?${more}" rel="next">More games of this day, by start</a></p>`}
</section>
${recordSection(sport, markets)}`,
  });
}

export const linkTo = (query: Readonly<Record<string, string>>): string =>
  `${FORECASTS_PATH}?${new URLSearchParams(query)}`;

const choiceList = <T>(all: readonly T[], chosen: T, of: (one: T) => readonly [to: string, text: string]): Html =>
  html`<ul class="sports">${all.map((one) => {
    const [to, text] = of(one);
    return html`<li><a href="${to}"${one === chosen && html` aria-current="page"`}>${text}</a></li>`;
  })}</ul>`;

function leagueList({ slug, leagues }: Sport, chosen: string | undefined, date: string): Html {
  const all = [undefined, ...leagues];
  const shown = leagues.find((league) => league.slug === chosen);
  return html`<nav aria-label="Leagues">${choiceList(all, shown, (league) =>
    league
      ? [linkTo({ sport: slug, league: league.slug, date }), league.name]
      : [linkTo({ sport: slug, date }), 'All leagues'],
  )}</nav>`;
}

function dayLinks({ sport, league, date, today }: ForecastsPageView): Html {
  const kept = { sport: sport.slug, ...(league !== undefined && { league }) };
  const beside = (days: number) => formatDate(Date.parse(date) + days * DAY);
  const link = (to: string, text: string): Html =>
    html`<a href="${linkTo({ ...kept, date: to })}"${to === date && html` aria-current="page"`}>${text}</a>`;
  return html`<nav class="day-links" aria-label="Days">${link(beside(-1), 'Day before')} ${link(today, 'Today')} ${link(beside(1), 'Day after')}
<form method="get" action="${FORECASTS_PATH}" class="filters">${Object.entries(kept).map(([name, value]) => hiddenField(name, value))}${textField({ id: 'date', name: 'date', label: 'Date (UTC)', type: 'date', value: date, required: true })}<button type="submit">Show</button></form></nav>`;
}

const DAY_TEXT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' });
export const dayText = (date: string): string => DAY_TEXT.format(new Date(date));
