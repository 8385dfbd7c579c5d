import { type Html, html } from './html.ts';

/** What stands where a page has nothing to show. It says what would bring something, if anything would. */
export const emptyState = (text: Html | string): Html => html`<p class="empty">${text}</p>`;
