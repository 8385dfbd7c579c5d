import type { IncomingMessage } from 'node:http';
import type { Router } from 'express';
import { InvalidNotice, type InvoiceNotice, type InvoiceNotices } from '../../../platform/payments/payments.ts';
import { badRequest, notFound } from '../../calls/api-errors.ts';
import { MAX_BODY_BYTES, payloadTooLarge, refuseLargeBody } from '../requests/json-body.ts';
import type { UnauthenticatedLimits } from '../requests/unauthenticated-limits.ts';
import type { Responder } from '../responder.ts';
import { addRoute } from '../routed-request.ts';
import { methodNotAllowed } from './operation-route.ts';

interface PaymentNoticeEndpointParts {
  readonly path: string;
  /** Undefined: the endpoint does not exist. */
  readonly notices: InvoiceNotices | undefined;
  /** Resolves when the effect of the notice is on disk. */
  readonly acceptNotice: (notice: InvoiceNotice) => Promise<void>;
  readonly responder: Responder;
  /** Counts a notice without a valid signature. Returns the error to send instead, if there were too many. */
  readonly countWrongKey: UnauthenticatedLimits['countWrongKey'];
}

/**
 * The endpoint for invoice notices of the payment provider. It needs no key, since notices are signed. The provider
 * repeats a notice until it gets a 2xx, so a 2xx is sent only once the effect is on disk, or if the notice does not
 * matter here.
 */
export function createPaymentNoticeEndpoint(parts: PaymentNoticeEndpointParts): (router: Router) => void {
  const { path, notices, acceptNotice, responder, countWrongKey } = parts;
  return (router) =>
    addRoute(router, path, async (request, response) => {
      const requestId = responder.requestId(request);
      const headers = ['Cache-Control', 'no-store', ...(request.method === 'POST' ? [] : ['Allow', 'POST'])];
      try {
        if (!notices) throw notFound('There is nothing at this path.');
        if (request.method !== 'POST') throw methodNotAllowed(request.method, 'POST');
        refuseLargeBody(request);
        const body = await readRawBody(request);
        const notice = readNotice(notices, body, request, countWrongKey);
        if (notice) await acceptNotice(notice);
        responder.sendJson(response, 200, { received: true }, { requestId, headers });
      } catch (error) {
        if (request.destroyed && !request.complete) return;
        responder.sendError(response, error, { requestId, headers });
      }
    });
}

function readNotice(
  notices: InvoiceNotices,
  body: Buffer,
  request: IncomingMessage,
  wrongKey: UnauthenticatedLimits['countWrongKey'],
): InvoiceNotice | null {
  const signature = request.headers['stripe-signature'];
  try {
    return notices.read(body, typeof signature === 'string' ? signature : undefined);
  } catch (error) {
    if (!(error instanceof InvalidNotice)) throw error;
    const refusal = wrongKey(request);
    throw refusal ?? badRequest('The notice is not signed as those of the provider are.');
  }
}

/** The raw bytes: the signature covers these. */
async function readRawBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Stopping early must not close the connection: the answer still has to be sent over it.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw payloadTooLarge(MAX_BODY_BYTES);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
