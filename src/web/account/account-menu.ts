import type { UserService } from '../../accounts/users/user-service.ts';
import type { PageHandler } from '../../api/http/endpoints/public-pages.ts';
import type { PageCookies } from '../layout/page-cookies.ts';
import { accountLinks } from '../layout/site-header.ts';
import { viewerOf } from './account-layout.ts';

export const ACCOUNT_MENU_PATH = '/account/menu';

const HEADERS = [
  ...['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'", 'Cache-Control', 'no-store'],
  ...['X-Content-Type-Options', 'nosniff', 'Cross-Origin-Resource-Policy', 'same-origin'],
];

interface AccountMenuParts {
  readonly users: Pick<UserService, 'session'>;
  readonly cookies: Pick<PageCookies, 'sessionTokenOf'>;
}

/**
 * The menu of whoever asks, as a part of a page: what a page that is cached for everybody cannot hold. It sets no
 * cookie.
 */
export const createAccountMenu =
  ({ users, cookies }: AccountMenuParts): PageHandler =>
  async (request) => {
    const token = cookies.sessionTokenOf(request);
    const session = token === undefined ? undefined : await users.session(token);
    const { html: body } = accountLinks(viewerOf(session), '');
    return { status: 200, type: 'text/html; charset=utf-8', body, headers: HEADERS };
  };
