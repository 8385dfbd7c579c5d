import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, errorEnvelope } from '../../api/calls/errors.ts';
import { methodNotAllowed } from '../../api/http/operation-route.ts';
import type { Responder } from '../../api/http/responder.ts';
import type { RoutedRequest, RouteHandler } from '../../api/http/routed-request.ts';
import { createOpenResponses, retryAfter, STREAM_HEADERS, sinkOf } from '../../api/streams/open-responses.ts';
import { formatDate, formatTime } from '../../domain/time.ts';
import type { SetTimer } from '../../platform/time/timer.ts';
import type { BoardHub, FollowedDay } from './board-hub.ts';
import { createPageStream, type PageStream } from './page-stream.ts';

export interface BoardStreamsParts {
  readonly hub: BoardHub;
  readonly responder: Responder;
  /** The public address, without a slash at its end. */
  readonly baseUrl: () => string;
  /** Refuses requests of other sites. */
  readonly guard: (request: IncomingMessage) => void;
  /** The start of the day that a request asks for, in milliseconds. @throws ApiError bad_request */
  readonly dayOf: (request: RoutedRequest) => Promise<number>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds of a clock that never goes back. */
  readonly steadyNow: () => number;
  readonly setTimer: SetTimer;
  /** From 0 to 1, without 1. */
  readonly random: () => number;
  /** Streams that may be open at once; default 100. */
  readonly mostStreams?: number;
}

/** All open pages. */
export interface BoardStreams {
  readonly size: number;
  /** What their readers have not taken yet, in bytes. */
  readonly buffered: number;
  readonly handler: RouteHandler;
  /** Tells every page to come back. Resolves when all have ended. */
  close(): Promise<void>;
}

const MOST_STREAMS = 100;
const RETRY_SECONDS = 30;
const ALLOWED = 'GET, HEAD';
const HEADERS = [...STREAM_HEADERS, 'X-Content-Type-Options', 'nosniff'];

/** GET /live/stream. */
export function createBoardStreams(parts: BoardStreamsParts): BoardStreams {
  const { hub, responder, baseUrl, guard, dayOf, now, steadyNow, setTimer, random } = parts;
  const { mostStreams = MOST_STREAMS } = parts;
  const streams = new Set<PageStream>();
  const responses = createOpenResponses(setTimer);
  let isClosing = false;

  const handler: RouteHandler = async (request, response) => {
    const requestId = responder.requestId(request);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    // From the start: a client that goes while its stream is being opened would not be heard later.
    const ended = new Promise<void>((resolve) => response.once('close', resolve));
    responses.add(response);
    let day: FollowedDay | undefined;
    try {
      if (!isRead) throw methodNotAllowed(request.method, ALLOWED);
      guard(request);
      if (responses.size > mostStreams) return refuseAsBusy(response, requestId);
      const start = await dayOf(request);
      if (request.method === 'HEAD') {
        response.writeHead(200, responder.headers({ requestId, headers: HEADERS })).end();
        return;
      }
      const date = formatDate(start);
      day = await hub.follow(date, start);
      if (response.destroyed) return;
      response.writeHead(200, responder.headers({ requestId, headers: HEADERS }));
      begin(day, date, response);
      await ended;
    } catch (error) {
      responder.sendError(response, error, { requestId, headers: isRead ? [] : ['Allow', ALLOWED] });
    } finally {
      day?.release();
      responses.delete(response);
    }
  };

  /** The limit is the server's and not a key's, so that the status is another one than the code has elsewhere. */
  function refuseAsBusy(response: ServerResponse, requestId: string): void {
    const text = 'Too many pages are open at this moment.';
    const error = new ApiError('stream_limit_exceeded', text, { retry_after: RETRY_SECONDS });
    const envelope = errorEnvelope(error, baseUrl(), requestId);
    const headers = ['Cache-Control', 'no-store', 'Retry-After', String(RETRY_SECONDS)];
    const body = { ...envelope, error: { ...envelope.error, status: 503 } };
    responder.sendJson(response, 503, body, { requestId, headers });
  }

  function begin(day: FollowedDay, date: string, response: ServerResponse): void {
    const stream = createPageStream({
      sink: sinkOf(response),
      now: steadyNow,
      setTimer,
      retryMs: retryAfter(random),
      messageOf: day.message,
      onEnd: () => {
        day.release();
        streams.delete(stream);
      },
    });
    streams.add(stream);
    response.on('drain', stream.drained);
    response.once('close', stream.closed);
    stream.begin({ generated_at: formatTime(now()), date });
    day.join(stream);
    // This stream was still being opened when all others were told that the server closes.
    if (isClosing) stream.shutDown();
  }

  return {
    get size() {
      return streams.size;
    },
    get buffered() {
      return responses.bytes;
    },
    handler,
    async close() {
      isClosing = true;
      for (const stream of [...streams]) stream.shutDown();
      await responses.ended();
    },
  };
}
