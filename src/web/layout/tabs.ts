import { type Html, html } from './html.ts';

export interface Tab {
  readonly name: string;
  readonly to: string;
  readonly isShown: boolean;
}

/** Parts of one page, each at an address of its own. They are links, so they work without scripts. */
export const tabs = (name: string, all: readonly Tab[]): Html =>
  html`<nav class="tabs" aria-label="${name}"><ul>${all.map(
    ({ name: text, to, isShown }) => html`<li><a href="${to}"${isShown && html` aria-current="page"`}>${text}</a></li>`,
  )}</ul></nav>`;
