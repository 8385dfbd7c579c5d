import type { WebhookServices } from '../../../api/calls/services/webhook-services.ts';
import { html } from '../../layout/html.ts';
import { submitButton } from '../form-fields.ts';
import { pageResponse } from '../page-responses.ts';
import type { PageRequest, PageResponse, PageRoute } from '../page-route.ts';
import { ALERTS_PATH } from './alert-pages.ts';

interface AlertEndParts {
  readonly webhooks: Pick<WebhookServices, 'isEndToken' | 'endByToken'>;
}

const PATH = '/alerts/end';

/**
 * The link in the mails of an alert. Opening it asks, since programs that check mails open links too. The answer of
 * the page, and the one click of a mail program, are the same POST.
 */
export function alertEndRoutes({ webhooks }: AlertEndParts): readonly PageRoute[] {
  const tokenOf = ({ query }: PageRequest): string => query.get('token') ?? '';

  const gone = (): PageResponse =>
    pageResponse(
      'This link ends nothing',
      html`<p>It is not a link of this server, or not a whole one: copy it from the mail from its beginning to its end.</p>
<p>Signed in, you can end any of <a href="${ALERTS_PATH}">your alerts</a>.</p>`,
      {
        status: 410,
      },
    );

  async function ask(visit: PageRequest): Promise<PageResponse> {
    const token = tokenOf(visit);
    if (!webhooks.isEndToken(token)) return gone();
    const action = `${PATH}?${new URLSearchParams({ token })}`;
    return pageResponse(
      'End this alert',
      html`<p>It sends you no more mails. You can make it again at any time.</p>
<form method="post" action="${action}">${submitButton('End the alert')}</form>`,
    );
  }

  async function end(visit: PageRequest): Promise<PageResponse> {
    if (!(await webhooks.endByToken(tokenOf(visit)))) return gone();
    return pageResponse(
      'The alert has ended',
      html`<p>It sends you no more mails.</p><p><a href="${ALERTS_PATH}/new">Make another</a></p>`,
    );
  }

  return [
    { method: 'GET', path: PATH, access: 'open', run: ask },
    { method: 'POST', path: PATH, access: 'open', isPermittedByUrl: true, run: end, refused: ask },
  ];
}
