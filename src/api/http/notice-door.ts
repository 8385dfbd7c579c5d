import type { IncomingMessage } from 'node:http';
import type { Router } from 'express';
import { type InvoiceNotice, type InvoiceNotices, NoticeRefused } from '../../platform/payments/payments.ts';
import { badRequest, notFound } from '../calls/errors.ts';
import { MAX_BODY, refuseLargeBody, tooLarge } from './json-body.ts';
import type { KeylessLimits } from './keyless-limits.ts';
import { methodNotAllowed } from './operation-route.ts';
import type { Responder } from './responder.ts';
import { addRoute } from './routed-request.ts';

export interface NoticeDoorParts {
  readonly path: string;
  /** Undefined: there is no door. */
  readonly notices: InvoiceNotices | undefined;
  /** Resolves when what the notice tells is on disk. */
  readonly take: (notice: InvoiceNotice) => Promise<void>;
  readonly responder: Responder;
  /** Counts a notice that nobody has signed; what it is refused with, where there were too many. */
  readonly wrongKey: KeylessLimits['wrongKey'];
}

/**
 * Where the provider of payments tells of invoices. It needs no key: what is not signed is refused. The provider sends
 * again what was not answered with a 2xx, so that one is given only for what is on disk, and for what nobody here
 * will ever want.
 */
export function noticeDoor(parts: NoticeDoorParts): (router: Router) => void {
  const { path, notices, take, responder, wrongKey } = parts;
  return (router) =>
    addRoute(router, path, async (request, response) => {
      const requestId = responder.requestId(request);
      const headers = ['Cache-Control', 'no-store', ...(request.method === 'POST' ? [] : ['Allow', 'POST'])];
      try {
        if (!notices) throw notFound('There is nothing at this path.');
        if (request.method !== 'POST') throw methodNotAllowed(request.method, 'POST');
        refuseLargeBody(request);
        const body = await bytesOf(request);
        const notice = read(notices, body, request, wrongKey);
        if (notice) await take(notice);
        responder.sendJson(response, 200, { received: true }, { requestId, headers });
      } catch (error) {
        if (request.destroyed && !request.complete) return;
        responder.sendError(response, error, { requestId, headers });
      }
    });
}

function read(
  notices: InvoiceNotices,
  body: Buffer,
  request: IncomingMessage,
  wrongKey: KeylessLimits['wrongKey'],
): InvoiceNotice | null {
  const signature = request.headers['stripe-signature'];
  try {
    return notices.read(body, typeof signature === 'string' ? signature : undefined);
  } catch (error) {
    if (!(error instanceof NoticeRefused)) throw error;
    const refusal = wrongKey(request);
    throw refusal ?? badRequest('The notice is not signed as those of the provider are.');
  }
}

/** As they came: the signature is of these. */
async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Giving up on the body must not end the connection: the answer has to go back over it.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY) throw tooLarge(MAX_BODY);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
