import { pricesOfText } from '../../api/operations/slips/prices-of-text.ts';
import type { BetResult } from '../../domain/grading/leg-result.ts';
import { payoutFactor } from '../../domain/grading/payout.ts';
import { type Html, html } from '../layout/html.ts';
import { formatPrice } from '../live/page/view-model/odds-format.ts';
import type { GradedLegs } from './graded-slip.ts';

/** Of which it is said what comes back. */
const STAKE = 10;

/** After these a leg says nothing of what comes back, or all is said. */
const ENDS: readonly (BetResult | null)[] = ['lost', 'ungradeable'];
/** These come back without a price. */
const RETURNED: readonly (BetResult | null)[] = ['push', 'void', 'half_lost'];

/**
 * What the legs of a text pay together if all that are open win: the product of their decimal prices, and of what the
 * settled ones come back as. Nothing once a leg is lost, or was not understood.
 */
export function parlayText(text: string, { legs }: GradedLegs): Html | false {
  const prices = pricesOfText(text);
  const isOpen = legs.every(({ result, result_detail }) => result !== null && !ENDS.includes(result_detail));
  if (!isOpen || legs.length === 0 || prices.length !== legs.length) return false;
  if (legs.some((leg, index) => prices[index] === undefined && !RETURNED.includes(leg.result_detail))) {
    return html`<p class="facts">With a price after each leg, such as <span class="example">Giants +7 -110</span> or <span class="example">Giants +7 @1.91</span>, it says here what they pay.</p>`;
  }
  const games = new Set(legs.map(({ market }) => market.event_id));
  if (games.size < legs.length) {
    return html`<p class="facts">Legs of one game hang together, so a bookmaker has a price of his own for them.</p>`;
  }
  const product = legs.reduce((so, { result_detail }, index) => {
    const price = prices[index] ?? null;
    return so * (payoutFactor(result_detail, price) ?? price!);
  }, 1);
  const together = legs.length > 1 ? 'Together ' : '';
  const back = html`a stake of ${STAKE} comes back as <b>${(STAKE * product).toFixed(2)}</b>`;
  return html`<p class="parlay"><b>${together}${product.toFixed(2)}</b>${americanText(product)}: ${wordsOf(legs, back)}.</p>`;
}

/** Nothing where nothing is won. @param decimal a price */
function americanText(decimal: number): string {
  if (decimal <= 1) return '';
  const american = decimal >= 2 ? Math.round((decimal - 1) * 100) : -Math.round(100 / (decimal - 1));
  return ` (${formatPrice(american, 'american')})`;
}

/** @param back what comes back */
function wordsOf(legs: GradedLegs['legs'], back: Html): Html {
  const isOne = legs.length === 1;
  const open = legs.filter(({ result_detail }) => result_detail === null).length;
  const won = legs.filter(({ result_detail }) => result_detail === 'won').length;
  if (open > 0)
    return html`${back} if ${isOne ? 'it' : open + won < legs.length ? 'every open leg' : 'every leg'} wins`;
  if (won === legs.length) return html`${isOne ? 'it' : 'every leg'} has won, so ${back}`;
  return html`${isOne ? 'it' : 'every leg'} is settled, so ${back}`;
}
