import type { EvaluatedBet } from '../../../api/operations/bets/evaluate-bets.ts';
import { priceText } from '../../browse/panels.ts';
import { type Html, html } from '../../layout/html.ts';
import { formatPrice } from '../../live/page/view-model/odds-format.ts';
import { postForm, refusalBox, submitButton } from '../form-fields.ts';
import { timeTag } from '../formats.ts';
import type { Refusal, SignedInRequest } from '../page-route.ts';
import { betWords } from './bet-words.ts';
import { BETS_PATH, type BetsView, betPath, gameOf, standingOf } from './bets-pages.ts';
import { changedBetFields } from './one-bet-form.ts';

/** One bet, what it was taken at in a form, and the way to delete it. A refused form keeps what was typed. */
export function changeBetPage(
  visit: SignedInRequest,
  bet: EvaluatedBet,
  { nameOf, hasEvents, now }: Pick<BetsView, 'nameOf' | 'hasEvents' | 'now'>,
  refusal?: Refusal,
): Html {
  const { id, event_id, price, decimal, stake, book } = bet;
  const isTyped = visit.form.has('odds');
  const shown = isTyped
    ? visit.form
    : new URLSearchParams({ odds: oddsText(price, decimal), stake: String(stake), book });
  const game = gameOf(bet);
  return html`
${refusalBox(refusal)}
<p><b>${betWords(bet)}</b>, ${hasEvents ? html`<a href="/events/${event_id}">${game}</a>` : game}: at ${priceText(price)} with ${nameOf(book)}, ${timeTag(bet.placed_at, visit.session.user.timezone)}. ${standingOf(bet, now)}</p>
${postForm(
  visit,
  `${betPath(id)}/change`,
  html`${changedBetFields(shown, refusal)}
${submitButton('Save')}`,
)}
<section><h2>Not your bet?</h2><p>What a bet is on cannot be changed. Delete it, and add the right one.</p>
${postForm(visit, `${betPath(id)}/delete`, submitButton('Delete the bet', 'danger'))}</section>
<p><a href="${BETS_PATH}">All your bets</a></p>`;
}

/** As it was given: a decimal price that came back in American odds would be another one. */
const oddsText = (price: number, decimal: number | null): string =>
  decimal === null ? formatPrice(price, 'american').replace('−', '-') : String(decimal);
