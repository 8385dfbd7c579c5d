import type { AccessToRemove, RemainingAccess } from '../../../accounts/users/user-service.ts';
import { type Html, html } from '../../layout/html.ts';
import { postButton } from '../form-fields.ts';
import { fieldText, parseWholeNumber } from '../form-values.ts';
import { timeTag } from '../formats.ts';
import type { PageRequest } from '../page-route.ts';

export const REMOVE_ACCESS = '/reset-password/remove';

/** What a new password does not end, each with a button that removes it. Somebody else may have made it. */
export function remainingAccess(visit: PageRequest, token: string, access: RemainingAccess): Html {
  const { github, keys, webhooks, links, formerAddresses } = access;
  const time = (at: string): Html => timeTag(at, 'UTC');
  const button = (text: string, kind: AccessToRemove['kind'], id?: number): Html =>
    postButton(visit, REMOVE_ACCESS, text, 'danger', { token, kind, ...(id !== undefined && { id: String(id) }) });
  const entries = [
    ...(github
      ? [
          html`<li>GitHub can sign in${github.linkedAt !== null && html`, linked ${time(github.linkedAt)}`}. ${button('Unlink GitHub', 'github')}</li>`,
        ]
      : []),
    ...keys
      .slice(0, MOST_SHOWN)
      .map(
        ({ id, name, prefix, createdAt, lastUsedAt }) =>
          html`<li>The API key ${name} <code>${prefix}</code> can call. Made ${time(createdAt)}, ${lastUsedAt === null ? html`never used` : html`last used ${time(lastUsedAt)}`}. ${button('Revoke the key', 'key', id)}</li>`,
      ),
    ...(keys.length > MOST_SHOWN ? [html`<li>${keys.length - MOST_SHOWN} more API keys can call.</li>`] : []),
    ...webhooks
      .slice(0, MOST_SHOWN)
      .map(({ id, url }) => html`<li>A webhook sends to ${url}. ${button('Remove the webhook', 'webhook', id)}</li>`),
    ...(webhooks.length > MOST_SHOWN ? [html`<li>${webhooks.length - MOST_SHOWN} more webhooks.</li>`] : []),
    ...links.map(
      ({ id, path, createdAt }) =>
        html`<li>A link answers <code>${path}</code> to whoever has it. Made ${time(createdAt)}. ${button('Remove the link', 'link', id)}</li>`,
    ),
    ...formerAddresses.map(
      ({ email, until }) =>
        html`<li>The owner of ${email}, the address before, can take the account back until ${time(until)}.</li>`,
    ),
  ];
  if (entries.length === 0) return html``;
  return html`<section><h2>What a new password does not end</h2>
<p>Remove what is not yours.</p>
<ul>${entries}</ul></section>`;
}

/** So that the page stays small. Who removes some of them sees the next ones. */
const MOST_SHOWN = 100;

/** What the form of such a button names; undefined: nothing. */
export function readAccess(form: URLSearchParams): AccessToRemove | undefined {
  const kind = fieldText(form, 'kind');
  const id = parseWholeNumber(fieldText(form, 'id'));
  if (kind === 'github') return { kind };
  return (kind === 'key' || kind === 'webhook' || kind === 'link') && id !== undefined ? { kind, id } : undefined;
}
