import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Router } from 'express';
import { matchesIfNoneMatch } from '../../api/calls/answer-cache/entity-tag.ts';
import { notFound } from '../../api/calls/api-errors.ts';
import { methodNotAllowed } from '../../api/http/endpoints/operation-route.ts';
import type { UnauthenticatedLimits } from '../../api/http/requests/unauthenticated-limits.ts';
import { JSON_TYPE, type Responder } from '../../api/http/responder.ts';
import { addRoute, type RoutedRequest, type RouteHandler } from '../../api/http/routed-request.ts';
import { DAY, formatDate, parseDate } from '../../domain/primitives/time.ts';
import { hashOfSeal, type Seal } from '../../domain/proof/seal.ts';
import { sealFileText } from '../../domain/proof/seal-file.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { createConcurrencySlots } from '../../platform/async/concurrency.ts';
import { createSealReader } from '../../read-models/seals/seal-reader.ts';
import { leavesOfDay } from '../../read-models/seals/walk-days.ts';

interface SealRoutesParts {
  readonly log: Pick<EventLog, 'readStream' | 'readAllFrom' | 'readSince'>;
  readonly responder: Responder;
  /** Counts the files that are made. Absent: any number may be made. */
  readonly admitFold?: UnauthenticatedLimits['admitFold'] | undefined;
}

export const LATEST_SEAL_PATH = '/record/seals/latest';
const DAY_PATH = '/record/seals/:file';
const FILE_NAME = /^(\d{4}-\d{2}-\d{2})\.json$/;

/** A sealed day never changes. */
const DAY_CACHE = 'public, max-age=86400, immutable';
const LATEST_CACHE = 'public, max-age=60';
/** Files that are made at once: each reads a day of the log. */
const MAX_AT_ONCE = 2;
/** Characters that are sent in one piece. */
const PIECE = 64 * 1024;

/** What is sent: `make` is called only for a body. */
interface Answer {
  readonly seal: Seal;
  readonly cache: string;
  readonly make: () => AsyncGenerator<string>;
}

/** The seals of the record, for everybody: no key, no credits. */
export function sealRoutes({ log, responder, admitFold }: SealRoutesParts): (router: Router) => void {
  const seals = createSealReader(log);
  const atOnce = createConcurrencySlots(MAX_AT_ONCE);

  async function latest(): Promise<Answer> {
    const seal = await seals.newest();
    if (!seal) throw notFound('No day is sealed yet: the first one is, once it is over.');
    return {
      seal,
      cache: LATEST_CACHE,
      async *make() {
        yield `${JSON.stringify({ ...seal, hash: hashOfSeal(seal) })}\n`;
      },
    };
  }

  async function day({ params }: RoutedRequest): Promise<Answer> {
    const date = FILE_NAME.exec(params['file'] ?? '')?.[1];
    const midnight = date === undefined ? null : parseDate(date);
    if (date === undefined || midnight === null) throw notFound('A seal is at /record/seals/YYYY-MM-DD.json.');
    const seal = await seals.ofDate(date);
    if (!seal) throw notFound(`${date} is not sealed.`);
    const before = seal.previous === null ? null : await seals.ofDate(formatDate(midnight - DAY));
    return { seal, cache: DAY_CACHE, make: () => sealFileText(seal, leavesOfDay(log, seal, before)) };
  }

  const route =
    (find: (request: RoutedRequest) => Promise<Answer>, isCounted: boolean): RouteHandler =>
    async (request, response) => {
      const requestId = responder.requestId(request);
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      try {
        if (!isRead) throw methodNotAllowed(request.method, 'GET, HEAD');
        const { seal, cache, make } = await find(request);
        // The seal stands for all of its file.
        const tag = `"${hashOfSeal(seal)}"`;
        const facts = { requestId, headers: ['Cache-Control', cache, 'ETag', tag, 'Access-Control-Allow-Origin', '*'] };
        if (matchesIfNoneMatch(request.headers['if-none-match'], tag)) return responder.sendEmpty(response, 304, facts);
        const refusal = isCounted && request.method === 'GET' ? admitFold?.(request) : undefined;
        if (refusal) throw refusal;
        const send = async () => {
          if (response.destroyed) return;
          const headers = [...responder.headers(facts), 'Content-Type', JSON_TYPE, 'X-Content-Type-Options', 'nosniff'];
          response.writeHead(200, headers);
          if (request.method === 'HEAD') return void response.end();
          // A client that closes the connection early is no error.
          await pipeline(Readable.from(inPieces(make())), response).catch((error: unknown) => {
            if (!response.destroyed) throw error;
          });
        };
        await (isCounted ? atOnce(send) : send());
      } catch (error) {
        if (response.headersSent) return void response.destroy();
        responder.sendError(response, error, { requestId, headers: isRead ? [] : ['Allow', 'GET, HEAD'] });
      }
    };

  return (router) => {
    addRoute(router, LATEST_SEAL_PATH, route(latest, false));
    addRoute(router, DAY_PATH, route(day, true));
  };
}

async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = '';
  for await (const text of texts) {
    piece += text;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}
