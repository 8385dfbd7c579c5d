import type { AccessToRemove, RemainingAccess } from '../../../accounts/users/user-service.ts';
import { type Html, html } from '../../layout/html.ts';
import { postButton } from '../form-fields.ts';
import { fieldText, parseWholeNumber } from '../form-values.ts';
import { timeTag } from '../formats.ts';
import type { PageRequest } from '../page-route.ts';
import { type ListRow, rowList } from '../row-list.ts';

export const REMOVE_ACCESS = '/reset-password/remove';

/** What a new password does not end, each with a button that removes it. Somebody else may have made it. */
export function remainingAccess(visit: PageRequest, token: string, access: RemainingAccess): Html {
  const { github, keys, webhooks, links, formerAddresses } = access;
  const time = (at: string): Html => timeTag(at, 'UTC');
  const button = (text: string, kind: AccessToRemove['kind'], id?: number): Html =>
    postButton(visit, REMOVE_ACCESS, text, 'danger', { token, kind, ...(id !== undefined && { id: String(id) }) });
  const more = (list: readonly unknown[], what: string): readonly ListRow[] =>
    list.length > MOST_SHOWN ? [{ cells: [html`${list.length - MOST_SHOWN} more ${what}.`] }] : [];
  const rows: readonly ListRow[] = [
    ...(github
      ? [
          {
            cells: [
              html`GitHub can sign in${github.linkedAt !== null && html`, linked ${time(github.linkedAt)}`}.`,
              button('Unlink GitHub', 'github'),
            ],
          },
        ]
      : []),
    ...keys.slice(0, MOST_SHOWN).map(({ id, name, prefix, createdAt, lastUsedAt }) => ({
      cells: [
        html`The API key ${name} <code>${prefix}</code> can call. Made ${time(createdAt)}, ${lastUsedAt === null ? html`never used` : html`last used ${time(lastUsedAt)}`}.`,
        button('Revoke the key', 'key', id),
      ],
    })),
    ...more(keys, 'API keys can call'),
    ...webhooks.slice(0, MOST_SHOWN).map(({ id, url }) => ({
      cells: [html`A webhook sends to ${url}.`, button('Remove the webhook', 'webhook', id)],
    })),
    ...more(webhooks, 'webhooks'),
    ...links.map(({ id, path, createdAt }) => ({
      cells: [
        html`A link answers <code>${path}</code> to whoever has it. Made ${time(createdAt)}.`,
        button('Remove the link', 'link', id),
      ],
    })),
    ...formerAddresses.map(({ email, until }) => ({
      cells: [html`The owner of ${email}, the address before, can take the account back until ${time(until)}.`],
    })),
  ];
  if (rows.length === 0) return html``;
  return html`<section><h2>What a new password does not end</h2>
<p>Remove what is not yours.</p>
${rowList('What a new password does not end', rows, '')}</section>`;
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
