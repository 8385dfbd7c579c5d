import { type Html, html } from '../layout/html.ts';
import { formatPrice } from '../live/page/view-model/odds-format.ts';

/** A part of a page under a heading. */
export const panel = (name: string, content: Html, note?: Html | string): Html =>
  html`<section class="part"><h2>${name}</h2>${note !== undefined && html`<p class="about">${note}</p>`}
${content}</section>
`;

export const UNKNOWN = '–';

/** American odds. A script writes them as decimal ones for whoever has chosen that on the live page. */
export const priceText = (price: number): Html =>
  html`<span data-price="${price}">${formatPrice(price, 'american')}</span>`;

/** A cell of figures. */
export const numberCell = (value: Html | string | number | null): Html =>
  html`<td class="number">${value ?? UNKNOWN}</td>`;

export const textCell = (value: Html | string | null): Html => html`<td>${value ?? UNKNOWN}</td>`;

/** A heading over figures. */
export const numberHeading = (text: string): readonly [string, 'number'] => [text, 'number'];
