import type { AlertPreview, WebhookServices } from '../../../api/calls/services/webhook-services.ts';
import { RefusedError } from '../../../domain/primitives/domain-errors.ts';
import { parseWholeNumber } from '../form-values.ts';
import { notFound, toRefused } from '../page-errors.ts';
import { pageResponse, redirect, successFlash } from '../page-responses.ts';
import type { PageResponse, PageRoute, Refusal, SignedInRequest } from '../page-route.ts';
import type { SessionOwner } from '../session-callers.ts';
import { alertEndRoutes } from './alert-end-routes.ts';
import { ALERTS_PATH, alertsPage, newAlertPage, readAlertWish } from './alert-pages.ts';

interface AlertPagesParts {
  readonly callerOf: SessionOwner;
  readonly webhooks: WebhookServices;
}

/** The pages on which owners make alerts, see what they say, test and end them. */
export function alertRoutes({ callerOf, webhooks }: AlertPagesParts): readonly PageRoute[] {
  async function shown(visit: SignedInRequest, refusal?: Refusal): Promise<PageResponse> {
    return pageResponse('Alerts', alertsPage(visit, await webhooks.list(await callerOf(visit)), refusal));
  }

  /** A wrong choice has no preview: the page then shows its refusal alone. */
  async function previewOf(visit: SignedInRequest): Promise<AlertPreview | undefined> {
    try {
      return await webhooks.preview(await callerOf(visit), readAlertWish(visit).filter);
    } catch (error) {
      if (error instanceof RefusedError) return undefined;
      throw error;
    }
  }

  async function choose(visit: SignedInRequest, refusal?: Refusal): Promise<PageResponse> {
    return pageResponse('Make an alert', newAlertPage(visit, await previewOf(visit), refusal));
  }

  async function make(visit: SignedInRequest): Promise<PageResponse> {
    const { format, url, filter } = readAlertWish(visit);
    const caller = await callerOf(visit);
    const wish = { url, format, filter, event_types: filter.types ?? [], sport: null, event_id: null };
    const { id } = await webhooks.create(caller, wish).catch((error: unknown) => {
      throw withField(toRefused(error));
    });
    return redirect(ALERTS_PATH, successFlash(`The alert ${id} is made. Send a test to see it.`));
  }

  async function own({ params }: SignedInRequest): Promise<number> {
    const id = parseWholeNumber(params['alert_id']!);
    if (id === undefined) throw notFound();
    return id;
  }

  async function test(visit: SignedInRequest): Promise<PageResponse> {
    const id = await own(visit);
    await webhooks.test(await callerOf(visit), id);
    return redirect(ALERTS_PATH, successFlash(`A test of the alert ${id} is on its way.`));
  }

  async function remove(visit: SignedInRequest): Promise<PageResponse> {
    const id = await own(visit);
    await webhooks.remove(await callerOf(visit), id);
    return redirect(ALERTS_PATH, successFlash(`The alert ${id} has ended.`));
  }

  const path = `${ALERTS_PATH}/{alert_id}`;
  return [
    ...alertEndRoutes({ webhooks }),
    { method: 'GET', path: ALERTS_PATH, access: 'signed-in', run: (visit) => shown(visit) },
    { method: 'GET', path: `${ALERTS_PATH}/new`, access: 'signed-in', run: (visit) => choose(visit) },
    { method: 'POST', path: ALERTS_PATH, access: 'signed-in', run: make, refused: choose },
    { method: 'POST', path: `${path}/test`, access: 'signed-in', run: test, refused: shown },
    { method: 'POST', path: `${path}/remove`, access: 'signed-in', run: remove, refused: shown },
  ];
}

/** What the API refuses of a wish is its address: everything else was chosen from lists. */
function withField(error: unknown): unknown {
  if (!(error instanceof RefusedError) || error.status !== 422) return error;
  return new RefusedError(422, 'The alert was not made. See below.', { fields: { url: error.message } });
}
