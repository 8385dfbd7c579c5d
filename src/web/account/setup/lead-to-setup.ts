import type { PageWrapper } from '../../../api/http/endpoints/public-pages.ts';
import { isDirect } from '../../../api/http/requests/direct-request.ts';
import type { PageCookies } from '../../layout/page-cookies.ts';
import { asksForHtml } from '../open-page-request.ts';
import { LATER, LATER_COOKIE } from './owner-step.ts';
import type { SetupDesk } from './setup-desk.ts';
import { SETUP } from './setup-frame.ts';

interface LeadParts {
  readonly desk: Pick<SetupDesk, 'isNew'>;
  readonly hasOwner: () => Promise<boolean>;
  readonly cookies: Pick<PageCookies, 'read'>;
}

/** Leads a person at a new folder without an owner from the first page to the setup, unless he has left it for later. */
export const leadToSetup =
  ({ desk, hasOwner, cookies }: LeadParts): PageWrapper =>
  (page) =>
  async (request) => {
    const isLed =
      desk.isNew && isDirect(request) && asksForHtml(request) && cookies.read(request, LATER_COOKIE) !== LATER;
    if (!isLed || (await hasOwner())) return page(request);
    const headers = ['Location', SETUP, 'Cache-Control', 'no-store'];
    return { status: 303, type: 'text/html; charset=utf-8', body: '', headers };
  };
