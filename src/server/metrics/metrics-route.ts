import type { RequestListener } from 'node:http';
import type { Router } from 'express';
import { ApiError, notFound } from '../../api/calls/api-errors.ts';
import { methodNotAllowed } from '../../api/http/endpoints/operation-route.ts';
import { isSameSecret, readBearerKey } from '../../api/http/requests/credentials.ts';
import type { Responder } from '../../api/http/responder.ts';
import { addRoute } from '../../api/http/routed-request.ts';
import type { MetricRegistry } from './metric-registry.ts';

interface MetricsRouteParts {
  readonly metrics: Pick<MetricRegistry, 'scrape'>;
  /** The operator's key; undefined: nobody may read. */
  readonly bootstrapKey: string | undefined;
  readonly responder: Responder;
}

export const METRICS_PATH = '/metrics';
const ALLOWED = 'GET, HEAD';

/** `/metrics` on the main port: for the operator only, neither charged nor limited. */
export const metricsRoute =
  ({ metrics, bootstrapKey, responder }: MetricsRouteParts) =>
  (router: Router): void =>
    addRoute(router, METRICS_PATH, async (request, response) => {
      const requestId = responder.requestId(request);
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      try {
        const key = readBearerKey(request);
        if (bootstrapKey === undefined || key === undefined || !isSameSecret(key, bootstrapKey)) {
          throw new ApiError('unauthorized', 'The bootstrap key is required: Authorization: Bearer <BOOTSTRAP_KEY>.');
        }
        if (!isRead) throw methodNotAllowed(request.method, ALLOWED);
        const { type, body } = await metrics.scrape();
        responder.send(response, 200, type, body, { requestId, headers: ['Cache-Control', 'no-store'] });
      } catch (error) {
        responder.sendError(response, error, { requestId, headers: isRead ? [] : ['Allow', ALLOWED] });
      }
    });

/** `/metrics` on a port of its own, without a key. It serves nothing else. */
export const metricsListener =
  (metrics: Pick<MetricRegistry, 'scrape'>, responder: Responder): RequestListener =>
  async (request, response) => {
    const requestId = responder.requestId(request);
    const isHere = request.url?.split('?')[0] === METRICS_PATH;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    try {
      if (!isHere) throw notFound('There is nothing at this path.');
      if (!isRead) throw methodNotAllowed(request.method, 'GET, HEAD');
      const { type, body } = await metrics.scrape();
      responder.send(response, 200, type, body, { requestId, headers: ['Cache-Control', 'no-store'] });
    } catch (error) {
      responder.sendError(response, error, { requestId, headers: isRead || !isHere ? [] : ['Allow', 'GET, HEAD'] });
    }
  };
