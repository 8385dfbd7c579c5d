import type { RequestListener } from 'node:http';
import { notFound } from '../../api/calls/errors.ts';
import { methodNotAllowed } from '../../api/http/operation-route.ts';
import type { Responder } from '../../api/http/responder.ts';
import type { Metrics } from './metrics.ts';
import { METRICS_PATH } from './metrics-route.ts';

/** What answers on the port of its own, where nobody needs a key: `/metrics`, and nothing else. */
export const metricsListener =
  (metrics: Pick<Metrics, 'scrape'>, responder: Responder): RequestListener =>
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
