import { type Html, html } from '../../layout/html.ts';
import { timeTag } from '../formats.ts';
import type { SignedInRequest } from '../page-route.ts';
import { messagesText } from './data-texts.ts';
import type { MessageRow } from './identity-desk.ts';

const MAX_SHOWN = 2000;

const cut = (text: string): string => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);

/** The oldest messages themselves. @param count of all of them */
export function messagesList(
  visit: SignedInRequest,
  messages: readonly MessageRow[] | undefined,
  count: number,
  command: string,
): Html {
  if (messages === undefined || messages.length === 0) return html``;
  const more =
    count > messages.length && html`<p>The oldest ${messages.length} of ${count}. All: <code>${command}</code></p>`;
  return html`<details><summary>Show ${messagesText(count)}</summary>
<ol>${messages.map(
    ({ received_at, message }) =>
      html`<li>${timeTag(received_at, visit.session.user.timezone)} <code>${cut(JSON.stringify(message))}</code></li>`,
  )}</ol>${more}</details>`;
}

/** What messages say beyond the feed contract. It often tells which event is meant. */
export const extraList = (extra: Readonly<Record<string, unknown>>): Html => {
  const members = Object.entries(extra);
  return members.length === 0
    ? html``
    : html`<ul class="facts">${members.map(
        ([name, value]) => html`<li>${name}: ${cut(typeof value === 'string' ? value : JSON.stringify(value))}</li>`,
      )}</ul>`;
};
