import type { RequestListener } from 'node:http';
import { notFound } from '../../api/calls/api-errors.ts';
import { createPublicPageRoute, jsonPage, type PageResponse } from '../../api/http/endpoints/public-pages.ts';
import type { Responder } from '../../api/http/responder.ts';
import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import type { Role } from '../../platform/settings/deployment-profile.ts';
import type { EngineName } from '../../platform/settings/engine-settings.ts';
import { METRICS_PATH } from '../metrics/metrics-route.ts';

/** The state of a process of a cluster. */
export type ProcessState =
  | { readonly status: 'ready' }
  | { readonly status: 'waiting'; readonly waitingFor: readonly EngineName[] }
  | { readonly status: 'catching_up'; readonly reason?: string | undefined }
  | { readonly status: 'stopped'; readonly reason: string };

interface ProcessListenerParts {
  readonly roles: readonly Role[];
  readonly state: () => ProcessState;
  readonly metrics: { scrape(): Promise<{ readonly type: string; readonly body: string }> };
  readonly responder: Responder;
}

interface ProcessListener {
  readonly listener: RequestListener;
  /** Sends all requests but health and metrics to this listener from now on. */
  serve(listener: RequestListener): void;
  /** Refuses requests with this reason from now on; undefined: refuses none. */
  refuse(reason: UnavailableError | undefined): void;
}

const WAITING_SECONDS = 5;
/** The roles that answer clients. The others serve nothing. */
const ANSWERING: ReadonlySet<Role> = new Set(['api', 'ingest']);

/**
 * Answers for a process of a cluster from its first moment: liveness, readiness and metrics. Routes of its roles answer 503
 * until the roles are open.
 */
export function createProcessListener({ roles, state, metrics, responder }: ProcessListenerParts): ProcessListener {
  const pages: Readonly<Record<string, RequestListener>> = {
    '/healthz': createPublicPageRoute(responder, () => jsonPage(200, { status: 'ok' })) as RequestListener,
    '/readyz': createPublicPageRoute(responder, () => readyPage(state(), roles)) as RequestListener,
    [METRICS_PATH]: createPublicPageRoute(responder, async (): Promise<PageResponse> => {
      const { type, body } = await metrics.scrape();
      return { status: 200, type, body, headers: ['Cache-Control', 'no-store'] };
    }) as RequestListener,
  };
  const answers = roles.some((role) => ANSWERING.has(role));
  let served: RequestListener | undefined;
  let refusal: UnavailableError | undefined;

  return {
    listener(request, response) {
      const page = pages[request.url?.split('?')[0] ?? ''];
      if (page) return page(request, response);
      if (served && !refusal) return served(request, response);
      const waiting = new UnavailableError('The server is waiting for what it needs.', WAITING_SECONDS);
      const error = answers ? (refusal ?? waiting) : notFound('There is nothing at this path.');
      responder.sendError(response, error, { requestId: responder.requestId(request) });
    },
    serve(listener) {
      served = listener;
    },
    refuse(reason) {
      refusal = reason;
    },
  };
}

function readyPage(state: ProcessState, roles: readonly Role[]): PageResponse {
  if (state.status === 'ready') return jsonPage(200, { status: 'ready', roles });
  const { status } = state;
  const waitingFor = status === 'waiting' ? { waiting_for: state.waitingFor } : {};
  const reason = 'reason' in state && state.reason !== undefined ? { reason: state.reason } : {};
  return jsonPage(503, { status, ...waitingFor, ...reason });
}
