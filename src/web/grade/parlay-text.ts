import { pricesOfText } from '../../api/operations/slips/prices-of-text.ts';
import { type Html, html } from '../layout/html.ts';
import { formatPrice } from '../live/page/view-model/odds-format.ts';
import type { GradedLegs } from './graded-slip.ts';
import { statusOf } from './leg-item.ts';

/** Of which it is said what comes back. */
const STAKE = 10;

/**
 * What the legs of a text pay together if all of them win, or have won: the product of their decimal prices. Nothing
 * once a leg is lost, or was not understood.
 * @param now milliseconds
 */
export function parlayText(text: string, { legs }: GradedLegs, now: number): Html | false {
  const prices = pricesOfText(text);
  const isOpen = legs.every(({ result, market }) => result !== null && !isLost(result, market.side));
  if (!isOpen || legs.length === 0 || prices.length !== legs.length) return false;
  if (prices.some((price) => price === undefined)) {
    return html`<p class="facts">With a price after each leg, such as <span class="example">Giants +7 -110</span> or <span class="example">Giants +7 @1.91</span>, it says here what they pay.</p>`;
  }
  const games = new Set(legs.map(({ market }) => market.event_id));
  if (games.size < legs.length) {
    return html`<p class="facts">Legs of one game hang together, so a bookmaker has a price of his own for them.</p>`;
  }
  const product = prices.reduce<number>((so, price) => so * price!, 1);
  const american = product >= 2 ? Math.round((product - 1) * 100) : -Math.round(100 / (product - 1));
  const [all, each] = legs.length > 1 ? ['Together ', 'every leg'] : ['', 'it'];
  const back = html`a stake of ${STAKE} comes back as <b>${(STAKE * product).toFixed(2)}</b>`;
  const isWon = legs.every((leg) => statusOf(leg, now).style === 'won');
  const words = isWon ? html`${each} has won, so ${back}` : html`${back} if ${each} wins`;
  return html`<p class="parlay"><b>${all}${product.toFixed(2)}</b> (${formatPrice(american, 'american')}): ${words}.</p>`;
}

const isLost = (result: string, side: string | null): boolean =>
  result === 'lost' || ((result === 'over' || result === 'under') && result !== side);
