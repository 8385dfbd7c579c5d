import type { AlertPreview, Webhook, WebhookServices } from '../../../api/calls/services/webhook-services.ts';
import { RefusedError } from '../../../domain/primitives/domain-errors.ts';
import { type FindNamedEvent, type NamedEvent, readNamedEvent } from '../find-named-event.ts';
import { parseWholeNumber } from '../form-values.ts';
import { notFound, toRefused } from '../page-errors.ts';
import { pageResponse, redirect, successFlash } from '../page-responses.ts';
import type { PageResponse, PageRoute, Refusal, SignedInRequest } from '../page-route.ts';
import type { SessionOwner } from '../session-callers.ts';
import { alertEndRoutes } from './alert-end-routes.ts';
import { ALERTS_PATH, alertsPage, givenOf, newAlertPage, readAlertWish } from './alert-pages.ts';

/** Games that the list of alerts names; the others stand with their ids. */
const MAX_NAMES = 100;

interface AlertPagesParts {
  readonly callerOf: SessionOwner;
  readonly webhooks: WebhookServices;
  readonly findEvent: FindNamedEvent;
  /** Whether mails leave this server. */
  readonly isMailSent: boolean;
}

/** The pages on which owners make alerts, see what they say, test and end them. */
export function alertRoutes({ callerOf, webhooks, findEvent, isMailSent }: AlertPagesParts): readonly PageRoute[] {
  async function shown(visit: SignedInRequest, refusal?: Refusal): Promise<PageResponse> {
    const alerts = await webhooks.list(await callerOf(visit));
    const names = await namesOf(alerts);
    return pageResponse(
      'Alerts',
      alertsPage(visit, alerts, (id) => names.get(id), refusal),
    );
  }

  /** Of the games that alerts are about alone. */
  async function namesOf(alerts: readonly Webhook[]): Promise<ReadonlyMap<number, string>> {
    const ids = new Set(alerts.flatMap(({ filter }) => filter?.event_ids ?? []));
    const found = await Promise.all([...ids].slice(0, MAX_NAMES).map(findEvent));
    return new Map(found.flatMap((event) => (event ? [[event.id, event.name] as const] : [])));
  }

  const eventOf = (visit: SignedInRequest) => readNamedEvent(givenOf(visit), findEvent);

  /** A wrong choice has no preview: the page then shows its refusal alone. */
  async function previewOf(visit: SignedInRequest, event: NamedEvent | undefined): Promise<AlertPreview | undefined> {
    try {
      return await webhooks.preview(await callerOf(visit), readAlertWish(visit, event).filter);
    } catch (error) {
      if (error instanceof RefusedError) return undefined;
      throw error;
    }
  }

  async function choose(visit: SignedInRequest, refusal?: Refusal): Promise<PageResponse> {
    const event = await eventOf(visit);
    return pageResponse(
      'Make an alert',
      newAlertPage(visit, event, await previewOf(visit, event), isMailSent, refusal),
    );
  }

  async function make(visit: SignedInRequest): Promise<PageResponse> {
    const { format, url, filter } = readAlertWish(visit, await eventOf(visit));
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
