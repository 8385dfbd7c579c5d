import { pricesOfText } from '../../api/operations/slips/prices-of-text.ts';
import type { BetResult } from '../../domain/grading/leg-result.ts';
import { parlayFactor } from '../../domain/grading/payout.ts';
import { type Html, html } from '../layout/html.ts';
import { fairPrice, formatPrice } from '../live/page/view-model/odds-format.ts';
import type { GradedLegs } from './graded-slip.ts';

/** Of which it is said what comes back. */
const STAKE = 10;

/**
 * What the legs of a text pay together if all that are open win: the product of their decimal prices, and of what the
 * settled ones come back as. Nothing once a leg is lost, or was not understood.
 */
export function parlayText(text: string, { legs }: GradedLegs): Html | false {
  const prices = pricesOfText(text);
  const isKnown = legs.every(({ result, result_detail }) => result !== null && result_detail !== 'ungradeable');
  if (!isKnown || legs.length === 0 || prices.length !== legs.length) return false;
  const product = parlayFactor(
    legs.map(({ result_detail }, index) => ({ result: result_detail ?? 'won', price: prices[index] ?? null })),
    null,
  );
  if (product === 0) return false;
  if (product === null) {
    return html`<p class="facts">With a price after each leg, such as <span class="example">Giants +7 -110</span> or <span class="example">Giants +7 @1.91</span>, it says here what they pay.</p>`;
  }
  const games = new Set(legs.map(({ market }) => market.event_id));
  if (games.size < legs.length) {
    return html`<p class="facts">Legs of one game hang together, so a bookmaker has a price of his own for them.</p>`;
  }
  // Nothing is won with a price of 1.
  const american = product > 1 && ` (${formatPrice(fairPrice(1 / product), 'american')})`;
  const together = legs.length > 1 ? 'Together ' : '';
  const back = html`a stake of ${STAKE} comes back as <b>${(STAKE * product).toFixed(2)}</b>`;
  return html`<p class="parlay"><b>${together}${product.toFixed(2)}</b>${american}: ${wordsOf(legs, back)}.</p>`;
}

/** @param back what comes back */
function wordsOf(legs: GradedLegs['legs'], back: Html): Html {
  const [each, open] = legs.length === 1 ? ['it', 'it'] : ['every leg', 'every open leg'];
  const hasAll = (...results: readonly (BetResult | null)[]) =>
    legs.every(({ result_detail }) => results.includes(result_detail));
  if (hasAll('won')) return html`${each} has won, so ${back}`;
  if (hasAll('won', null)) return html`${back} if ${each} wins`;
  if (legs.some(({ result_detail }) => result_detail === null)) return html`${back} if ${open} wins`;
  return html`${each} is settled, so ${back}`;
}
