import { ApiError, type FieldError } from '../../../api/calls/api-errors.ts';
import type { Operation } from '../../../api/calls/operation/operation.ts';
import type { LinkListing, LinkServices } from '../../../api/calls/services/link-services.ts';
import { RefusedError } from '../../../domain/primitives/domain-errors.ts';
import { fieldText, parseWholeNumber } from '../form-values.ts';
import { createPageCalls, type PageCallsParts } from '../page-calls.ts';
import { notFound, toRefused } from '../page-errors.ts';
import { pageResponse, redirect, successFlash } from '../page-responses.ts';
import type { PageResponse, PageRoute, Refusal, SignedInRequest } from '../page-route.ts';
import { LINKS_PATH, linksPage, newLinkPage } from './link-pages.ts';

interface LinksPagesParts extends PageCallsParts {
  readonly links: Pick<LinkServices, 'list' | 'remove'>;
  /** `create_link`, so that the page refuses what the API refuses. */
  readonly createLink: Operation;
}

const FIELDS = ['path', 'format', 'name', 'expires_at'] as const;

/** The page on which owners make their links, see each once and revoke them. */
export function linksRoutes({ callerOf, links, pipeline, createLink }: LinksPagesParts): readonly PageRoute[] {
  const call = createPageCalls({ callerOf, pipeline });

  async function shown(visit: SignedInRequest, refusal?: Refusal): Promise<PageResponse> {
    return pageResponse('Links', linksPage(visit, await links.list(await callerOf(visit)), refusal));
  }

  async function make(visit: SignedInRequest): Promise<PageResponse> {
    const given = FIELDS.map((name) => [name, fieldText(visit.form, name)] as const);
    const values = Object.fromEntries(given.filter(([, value]) => value !== ''));
    const made = await call<LinkListing>(visit, createLink, values).catch((error) => {
      throw refusedLink(error);
    });
    return pageResponse('The new link', newLinkPage(made));
  }

  async function revoke(visit: SignedInRequest): Promise<PageResponse> {
    const id = parseWholeNumber(visit.params['link_id']!);
    if (id === undefined) throw notFound();
    await links.remove(await callerOf(visit), id);
    return redirect(LINKS_PATH, successFlash('The link is revoked.'));
  }

  return [
    { method: 'GET', path: LINKS_PATH, access: 'signed-in', run: (visit) => shown(visit) },
    { method: 'POST', path: LINKS_PATH, access: 'signed-in', run: make, refused: shown },
    { method: 'POST', path: `${LINKS_PATH}/{link_id}/revoke`, access: 'signed-in', run: revoke, refused: shown },
  ];
}

/** An error of the API as the form shows it, with a sentence at each wrong field. */
function refusedLink(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const { errors = [] } = error.extras as { readonly errors?: readonly FieldError[] };
  // A read that the API does not know, or an unknown status: the path is wrong.
  if (errors.length === 0 && (error.status === 400 || error.status === 404)) {
    return new RefusedError(422, 'The link was not made. See below.', { fields: { path: error.message } });
  }
  if (errors.length === 0) return toRefused(error);
  const fields = Object.fromEntries(errors.map(({ loc, msg }) => [String(loc.at(-1)), `It ${msg}.`]));
  return new RefusedError(422, 'The link was not made. See below.', { fields });
}
