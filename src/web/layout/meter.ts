import { type Html, html } from './html.ts';

interface Meter {
  readonly label: string;
  readonly used: number;
  readonly limit: number;
  /** Such as `used of limit`. */
  readonly text: string;
}

/** From this share of a limit on, a meter warns. */
const NEAR = 0.8;

/** How much of each limit is used, one below the other. */
export const meterList = (meters: readonly Meter[]): Html =>
  html`<ul class="meters">${meters.map(
    ({ label, used, limit, text }) =>
      html`<li><span>${label}</span> <meter aria-label="${label}" min="0" max="${limit}" low="${limit * NEAR}" high="${limit}" optimum="0" value="${Math.min(used, limit)}">${text}</meter> <span class="facts">${text}</span></li>`,
  )}</ul>`;
