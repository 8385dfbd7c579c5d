import type { EvaluatedBet } from '../../../api/operations/bets/evaluate-bets.ts';
import { GROUPINGS, type Grouping } from '../../../api/operations/bets/summarize-bets.ts';
import { dataTable, type Html, html } from '../../layout/html.ts';
import { emptyState } from '../../layout/states.ts';
import { postButton, postForm, refusalBox, submitButton, textAreaField } from '../form-fields.ts';
import { fieldText } from '../form-values.ts';
import { timeTag } from '../formats.ts';
import type { Refusal, SignedInRequest } from '../page-route.ts';

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
}

/** The account’s own bets, what they were worth, and the form for more. A refused form keeps what was typed. */
export const betsPage = (visit: SignedInRequest, { list, summary }: BetsView, refusal?: Refusal): Html => html`
${refusalBox(refusal)}
<p>Bets that you have placed. Each is graded from the facts, and its price is compared with the fair closing price; both follow corrections.</p>
<section><h2>What they were worth</h2>
<p>${GROUPINGS.map((by) => (by === summary.by ? html`<strong>By ${by}</strong> ` : html`<a href="${BETS_PATH}?by=${by}">By ${by}</a> `))}</p>
${summary.total.bets === 0 ? emptyState('There is no bet yet.') : summaryTable(summary)}</section>
<section><h2>Your bets</h2>${list.bets.length === 0 ? emptyState('There is no bet here.') : betsTable(visit, list.bets)}
${list.next_after_id !== null && html`<p><a href="${BETS_PATH}?by=${summary.by}&amp;after_id=${list.next_after_id}" rel="next">Older bets</a></p>`}</section>
<section><h2>Add bets</h2>${postForm(visit, BETS_PATH, addFields(visit.form, refusal))}</section>`;

const summaryTable = ({ by, rows, total }: BetsView['summary']): Html =>
  dataTable(
    'What they were worth',
    [by[0]!.toUpperCase() + by.slice(1), 'Bets', 'Staked', 'Profit', 'CLV'],
    [...rows, { key: 'All', ...total }].map(
      ({ key, bets, staked, profit, clv }) =>
        html`<tr><th scope="row">${key}</th><td>${bets}</td><td>${amount(staked)}</td><td>${amount(profit)}</td><td>${percent(clv)}</td></tr>
`,
    ),
  );

const betsTable = (visit: SignedInRequest, bets: readonly EvaluatedBet[]): Html =>
  dataTable(
    'Your bets',
    ['Bet', 'Placed', 'Book', 'Price', 'Stake', 'Grade', 'Fair close', 'CLV', 'Profit', ''],
    bets.map((bet) => betRow(visit, bet)),
  );

/** Of a settled bet the message says only that it is half won, half lost or void. */
const gradeOf = ({ grade, message }: EvaluatedBet): string =>
  (message?.startsWith('half ') ? message : (grade ?? message)) ?? '';

function betRow(visit: SignedInRequest, bet: EvaluatedBet): Html {
  const { timezone } = visit.session.user;
  const { id, home_team: home, away_team: away, market_key: market, side, line, scope = '' } = bet;
  const what = [scope, market, side, line === null ? '' : String(line)].filter((part) => part !== '').join(' ');
  return html`<tr><th scope="row" class="wide">${home ?? ''} – ${away ?? ''}<br>${what}</th>
<td>${timeTag(bet.placed_at, timezone)}</td><td>${bet.book}</td><td>${american(bet.price)}</td><td>${amount(bet.stake)}</td>
<td>${gradeOf(bet)}</td><td>${american(bet.closing_fair_price)}</td><td>${percent(bet.clv)}</td><td>${amount(bet.profit)}</td>
<td>${postButton(visit, `${BETS_PATH}/${id}/delete`, 'Delete', 'danger')}</td></tr>
`;
}

const addFields = (typed: URLSearchParams, refusal: Refusal | undefined): Html => html`${textAreaField({
  name: 'csv',
  label: 'CSV',
  value: fieldText(typed, 'csv'),
  error: refusal?.fields['csv'],
  rows: 10,
  hint: 'The first line names the columns: date, pick, odds, stake and book, and perhaps sport and league, as a sheet has them; or event_id, market_key, side, line, player_id, team_id, price, stake, book and placed_at. Times are UTC. At most 200 bets: all are taken, or none.',
})}
${submitButton('Add them')}`;

const UNKNOWN = '–';
const american = (price: number | null): string => (price === null ? UNKNOWN : price > 0 ? `+${price}` : String(price));
const percent = (share: number | null): string => (share === null ? UNKNOWN : `${(100 * share).toFixed(1)} %`);
const amount = (value: number | null): string => (value === null ? UNKNOWN : value.toFixed(2));
