import type { EvaluatedBet } from '../../../api/operations/bets/evaluate-bets.ts';
import { GROUPINGS, type Grouping } from '../../../api/operations/bets/summarize-bets.ts';
import { nameOfSides } from '../../../read-models/rendering/render-event.ts';
import { numberCell, numberHeading, priceText, UNKNOWN } from '../../browse/panels.ts';
import { legStatus } from '../../grade/leg-status.ts';
import { dataTable, type Html, html } from '../../layout/html.ts';
import { emptyState } from '../../layout/states.ts';
import { capitalized } from '../../live/page/view-model/capitalized.ts';
import { signedPercent } from '../../record/month-plot.ts';
import type { NamedEvent } from '../find-named-event.ts';
import { postForm, refusalBox, submitButton, textAreaField } from '../form-fields.ts';
import { fieldText } from '../form-values.ts';
import { timeTag } from '../formats.ts';
import type { Refusal, SignedInRequest } from '../page-route.ts';
import { betWords, groupName } from './bet-words.ts';
import { oneBetFields } from './one-bet-form.ts';

export const BETS_PATH = '/bets';
export const betPath = (id: number): string => `${BETS_PATH}/${id}`;

interface Measures {
  readonly bets: number;
  readonly staked: number;
  readonly profit: number | null;
  readonly clv: number | null;
}

export interface BetsView {
  readonly list: { readonly bets: readonly EvaluatedBet[]; readonly next_after_id: number | null };
  readonly summary: {
    readonly by: Grouping;
    readonly rows: readonly (Measures & { readonly key: string })[];
    readonly total: Measures;
  };
  /** Of a bookmaker. */
  readonly nameOf: (slug: string) => string;
  /** That the form adds a bet on; undefined: the bet names it. */
  readonly event: NamedEvent | undefined;
  /** Whether there are pages of events to lead to. */
  readonly hasEvents: boolean;
  /** Milliseconds. */
  readonly now: number;
}

/** The account’s own bets, what they were worth, and the forms for more. A refused form keeps what was typed. */
export function betsPage(visit: SignedInRequest, view: BetsView, refusal?: Refusal): Html {
  const { list, summary } = view;
  const hasBets = summary.total.bets > 0;
  return html`
${refusalBox(refusal)}
<p>Bets that you have placed, wherever that was. Each is graded by the results, and follows their corrections. <a href="/account/books">My books</a> says where you bet.</p>
${hasBets && glance(summary.total)}
<section><h2>Add a bet</h2>${postForm(visit, BETS_PATH, oneBetFields(visit.form, view.event, refusal))}
<details${refusal?.fields['csv'] !== undefined && html` open`}><summary>Add many from a sheet</summary>${postForm(visit, BETS_PATH, sheetFields(visit.form, refusal))}</details></section>
<section><h2>Your bets</h2>${
    list.bets.length === 0
      ? emptyState('There is no bet yet. Keep one above, and see here whether it won and whether its price was good.')
      : betsTable(visit, view)
  }
${list.next_after_id !== null && html`<p><a href="${BETS_PATH}?by=${summary.by}&amp;after_id=${list.next_after_id}" rel="next">Older bets</a></p>`}</section>
${
  hasBets &&
  html`<section id="groups"><h2>By ${summary.by}</h2>
<nav class="pages" aria-label="Groups">${GROUPINGS.map((by) => html`<a href="${BETS_PATH}?by=${by}#groups"${by === summary.by && html` aria-current="true"`}>By ${by}</a> `)}</nav>
${summaryTable(view)}</section>`
}`;
}

/** How all of them did. */
const glance = ({ bets, staked, profit, clv }: Measures): Html => html`<div class="cards figures">
${figure('Profit', signed(profit), 'Of the bets that are settled.')}
${figure('Staked', amount(staked), bets === 1 ? 'On 1 bet, settled or not.' : `On ${bets} bets, settled or not.`)}
${figure('Closing line value', percent(clv), 'Your prices against the fair prices at the start. Above 0 you bought better than the market closed.')}
</div>`;

const figure = (title: string, stat: string, more: string): Html =>
  html`<section class="card"><h3>${title}</h3><p class="stat">${stat}</p><p class="facts">${more}</p></section>
`;

const summaryTable = ({ summary: { by, rows, total }, nameOf }: BetsView): Html =>
  dataTable(
    'Bets in groups',
    [capitalized(by), ...['Bets', 'Staked', 'Profit', 'CLV'].map(numberHeading)],
    [...rows.map((row) => ({ ...row, key: groupName(by, row.key, nameOf) })), { key: 'All', ...total }].map(
      ({ key, bets, staked, profit, clv }) =>
        html`<tr><th scope="row">${key}</th>${[String(bets), amount(staked), signed(profit), percent(clv)].map(numberCell)}</tr>
`,
    ),
  );

function betsTable(visit: SignedInRequest, view: BetsView): Html {
  const { bets } = view.list;
  const table = dataTable(
    'Your bets',
    ['Bet', 'Result', ...['Profit', 'Stake', 'Price', 'Fair close', 'CLV'].map(numberHeading), ''],
    bets.map((bet) => betRow(visit, bet, view)),
  );
  return html`${table}<p class="facts">Fair close is the price without a bookmaker’s margin when the game began. CLV, closing line value, is by how much your price was better than it.${
    bets.some(({ closing_fair_price }) => closing_fair_price === null) &&
    ' Both are – until the game begins, and where no reference bookmaker’s closing price at that line is known.'
  }</p>`;
}

const STANDING_KINDS = { won: 'good', lost: 'bad', even: '', open: 'open', unknown: 'open' } as const;

/** How a bet stands, and why where that is not plain. */
export function standingOf({ grade, message, side, starts_at: startsAt }: EvaluatedBet, now: number): Html {
  const half = message === 'half won' ? 'won' : message === 'half lost' ? 'lost' : undefined;
  const { word, style } = legStatus({ result: grade, half, side, startsAt: startsAt ?? undefined }, now);
  const isPlain = message === null || half !== undefined || style === 'open';
  return html`<span class="badge ${STANDING_KINDS[style]}">${word}</span>${!isPlain && html`<br><span class="facts">${message}</span>`}`;
}

/** The game of a bet, as all pages name it. */
export const gameOf = ({ sport, home_team: home, away_team: away }: EvaluatedBet): string =>
  home !== null && away !== null ? nameOfSides(sport, [home, away]) : (home ?? away ?? 'Game');

function betRow(visit: SignedInRequest, bet: EvaluatedBet, { nameOf, hasEvents, now }: BetsView): Html {
  const { timezone } = visit.session.user;
  const { id, event_id, closing_fair_price: close } = bet;
  const game = gameOf(bet);
  const words = betWords(bet);
  return html`<tr><th scope="row" class="wide"><b>${words}</b><br>${hasEvents ? html`<a href="/events/${event_id}">${game}</a>` : game}<br><span class="facts">${nameOf(bet.book)}, ${timeTag(bet.placed_at, timezone)}</span></th>
<td class="standing">${standingOf(bet, now)}</td>${[signed(bet.profit), amount(bet.stake)].map(numberCell)}${numberCell(priceText(bet.price))}${numberCell(
    close && priceText(close),
  )}${numberCell(percent(bet.clv))}
<td><a href="${betPath(id)}" aria-label="Change ${words}, ${game}">Change</a></td></tr>
`;
}

const sheetFields = (typed: URLSearchParams, refusal: Refusal | undefined): Html => html`${textAreaField({
  name: 'csv',
  label: 'CSV',
  value: fieldText(typed, 'csv'),
  error: refusal?.fields['csv'],
  rows: 10,
  hint: 'The first line names the columns: date, pick, odds, stake and book, and perhaps sport and league, as a sheet has them; a column called decimal odds or american odds says in which form it is; or event_id, market_key, side, line, player_id, team_id, price, stake, book and placed_at. The date is that on which the bet was placed; times are UTC. At most 200 bets: all are taken, or none.',
})}
${submitButton('Add them')}`;

const amount = (value: number | null): string => (value === null ? UNKNOWN : value.toFixed(2));
/** What is won or lost has its sign. */
const signed = (value: number | null): string =>
  value === null ? UNKNOWN : `${value < 0 ? '−' : value > 0 ? '+' : ''}${Math.abs(value).toFixed(2)}`;
const percent = (share: number | null): string => (share === null ? UNKNOWN : signedPercent(share));
