import { type Html, html } from './html.ts';

/** Stands where there is nothing to list. */
export const emptyState = (text: Html | string): Html => html`<p class="empty">${text}</p>`;

/** The content of a page that cannot be shown, and where to go from there. */
export const errorState = (title: string, text: string, links: Html): Html =>
  html`<h1>${title}</h1>
<p>${text}</p>
<p>${links}</p>`;
