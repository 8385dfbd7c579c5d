import type { EvaluatedBet } from '../../../api/operations/bets/evaluate-bets.ts';
import { GROUPINGS, type Grouping } from '../../../api/operations/bets/summarize-bets.ts';
import { numberCell, numberHeading, priceText, UNKNOWN } from '../../browse/panels.ts';
import { dataTable, type Html, html } from '../../layout/html.ts';
import { emptyState } from '../../layout/states.ts';
import { capitalized } from '../../live/page/view-model/capitalized.ts';
import { signedPercent } from '../../record/month-plot.ts';
import { postButton, postForm, refusalBox, submitButton, textAreaField } from '../form-fields.ts';
import { fieldText } from '../form-values.ts';
import { timeTag } from '../formats.ts';
import type { Refusal, SignedInRequest } from '../page-route.ts';
import { betWords, groupName } from './bet-words.ts';
import { oneBetFields } from './one-bet-form.ts';

export const BETS_PATH = '/bets';

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
  /** Whether there are pages of events to lead to. */
  readonly hasEvents: boolean;
}

/** The account’s own bets, what they were worth, and the forms for more. A refused form keeps what was typed. */
export function betsPage(visit: SignedInRequest, view: BetsView, refusal?: Refusal): Html {
  const { list, summary } = view;
  const hasBets = summary.total.bets > 0;
  return html`
${refusalBox(refusal)}
<p>Bets that you have placed, wherever that was. Each is graded from the facts, and its price is compared with the fair closing price; both follow corrections.</p>
<section><h2>Add a bet</h2>${postForm(visit, BETS_PATH, oneBetFields(visit.form, refusal))}</section>
<section><h2>Your bets</h2>${list.bets.length === 0 ? emptyState('There is no bet yet.') : betsTable(visit, view)}
${list.next_after_id !== null && html`<p><a href="${BETS_PATH}?by=${summary.by}&amp;after_id=${list.next_after_id}" rel="next">Older bets</a></p>`}</section>
${
  hasBets &&
  html`<section><h2>What they were worth</h2>
<nav class="pages" aria-label="Groups">${GROUPINGS.map((by) => html`<a href="${BETS_PATH}?by=${by}"${by === summary.by && html` aria-current="true"`}>By ${by}</a> `)}</nav>
${summaryTable(view)}</section>`
}
<section><details${refusal?.fields['csv'] !== undefined && html` open`}><summary>Add many from a sheet</summary>${postForm(visit, BETS_PATH, sheetFields(visit.form, refusal))}</details></section>`;
}

const summaryTable = ({ summary: { by, rows, total }, nameOf }: BetsView): Html =>
  dataTable(
    'What they were worth',
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
    ['Bet', 'Grade', ...['Price', 'Fair close', 'CLV', 'Stake', 'Profit'].map(numberHeading), 'Book', 'Placed', ''],
    bets.map((bet) => betRow(visit, bet, view)),
  );
  if (bets.every(({ closing_fair_price }) => closing_fair_price !== null)) return table;
  return html`${table}<p class="facts">Fair close and CLV: – until the game begins, and where no reference bookmaker’s closing price at that line is known.</p>`;
}

/** Of a settled bet the message says only that it is half won, half lost or void. */
const gradeOf = ({ grade, message }: EvaluatedBet): string =>
  (message?.startsWith('half ') ? message : (grade ?? message)) ?? '';

const GRADE_KINDS: Readonly<Record<string, string>> = { won: 'good', lost: 'bad' };

function betRow(visit: SignedInRequest, bet: EvaluatedBet, { nameOf, hasEvents }: BetsView): Html {
  const { timezone } = visit.session.user;
  const { id, event_id, home_team: home, away_team: away, closing_fair_price: close } = bet;
  const game = [home, away].filter((name) => name !== null).join(' – ') || 'Game';
  const grade = gradeOf(bet);
  const kind = GRADE_KINDS[grade];
  return html`<tr><th scope="row" class="wide"><b>${betWords(bet)}</b><br>${hasEvents ? html`<a href="/events/${event_id}">${game}</a>` : game}</th>
<td>${kind === undefined ? grade : html`<span class="badge ${kind}">${grade}</span>`}</td>${numberCell(priceText(bet.price))}${numberCell(
    close && priceText(close),
  )}${[percent(bet.clv), amount(bet.stake), signed(bet.profit)].map(numberCell)}
<td>${nameOf(bet.book)}</td><td>${timeTag(bet.placed_at, timezone)}</td><td>${postButton(visit, `${BETS_PATH}/${id}/delete`, 'Delete', 'danger')}</td></tr>
`;
}

const sheetFields = (typed: URLSearchParams, refusal: Refusal | undefined): Html => html`${textAreaField({
  name: 'csv',
  label: 'CSV',
  value: fieldText(typed, 'csv'),
  error: refusal?.fields['csv'],
  rows: 10,
  hint: 'The first line names the columns: date, pick, odds, stake and book, and perhaps sport and league, as a sheet has them; or event_id, market_key, side, line, player_id, team_id, price, stake, book and placed_at. The date is that on which the bet was placed; times are UTC. At most 200 bets: all are taken, or none.',
})}
${submitButton('Add them')}`;

const amount = (value: number | null): string => (value === null ? UNKNOWN : value.toFixed(2));
/** What is won or lost has its sign. */
const signed = (value: number | null): string =>
  value === null ? UNKNOWN : `${value < 0 ? '−' : value > 0 ? '+' : ''}${Math.abs(value).toFixed(2)}`;
const percent = (share: number | null): string => (share === null ? UNKNOWN : signedPercent(share));
