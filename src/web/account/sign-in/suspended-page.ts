import { html } from '../../layout/html.ts';
import { page } from '../answers.ts';
import type { SiteAnswer } from '../visit.ts';

/** For whoever has shown that it is he. */
export const suspendedPage = (): SiteAnswer =>
  page('This account is suspended', html`<p>Nobody can sign in to it. Ask whoever runs this server.</p>`, {
    status: 403,
  });
