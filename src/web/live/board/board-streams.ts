import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, errorEnvelope } from '../../../api/calls/api-errors.ts';
import { methodNotAllowed } from '../../../api/http/endpoints/operation-route.ts';
import type { Responder } from '../../../api/http/responder.ts';
import type { RoutedRequest, RouteHandler } from '../../../api/http/routed-request.ts';
import { createOpenResponses, randomRetryMs, STREAM_HEADERS, sinkOf } from '../../../api/streams/open-responses.ts';
import { createOpenStream, type StreamTransport } from '../../../api/streams/open-stream.ts';
import { sseMessage } from '../../../api/streams/sse-messages.ts';
import { formatDate, formatTime } from '../../../domain/primitives/time.ts';
import type { SetTimer } from '../../../platform/async/timer.ts';
import type { BoardHub, DaySubscription } from './board-hub.ts';

interface BoardStreamsParts {
  /** What a request asks to hear of. @throws ApiError bad_request */
  readonly hubOf: (request: RoutedRequest) => BoardHub;
  readonly responder: Responder;
  /** The public address without a trailing slash. */
  readonly baseUrl: () => string;
  /** Refuses requests from other sites. */
  readonly guard: (request: IncomingMessage) => void;
  /**
   * The start of the requested day in milliseconds.
   * @throws ApiError bad_request
   */
  readonly dayOf: (request: RoutedRequest) => Promise<number>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds of a monotonic clock. */
  readonly steadyNow: () => number;
  readonly setTimer: SetTimer;
  /** From 0 (included) to 1 (excluded). */
  readonly random: () => number;
  /** Maximum of open streams; default 100. */
  readonly maxStreams?: number;
}

/** The streams of all open pages. */
interface BoardStreams {
  readonly size: number;
  /** Bytes that are not sent yet. */
  readonly buffered: number;
  readonly handler: RouteHandler;
  /** Asks every page to reconnect. Resolves when all streams have ended. */
  close(): Promise<void>;
}

const MAX_STREAMS = 100;
const RETRY_SECONDS = 30;
const ALLOWED = 'GET, HEAD';
const HEADERS = [...STREAM_HEADERS, 'X-Content-Type-Options', 'nosniff'];

/** GET /live/stream. */
export function createBoardStreams(parts: BoardStreamsParts): BoardStreams {
  const { hubOf, responder, baseUrl, guard, dayOf, now, steadyNow, setTimer, random } = parts;
  const { maxStreams = MAX_STREAMS } = parts;
  const streams = new Set<PageStream>();
  const responses = createOpenResponses(setTimer);
  let isClosing = false;

  const handler: RouteHandler = async (request, response) => {
    const requestId = responder.requestId(request);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    // Listen at once: the client may leave while its stream is being opened.
    const ended = new Promise<void>((resolve) => response.once('close', resolve));
    responses.add(response);
    let day: DaySubscription | undefined;
    try {
      if (!isRead) throw methodNotAllowed(request.method, ALLOWED);
      guard(request);
      const hub = hubOf(request);
      if (responses.size > maxStreams) return refuseAsBusy(response, requestId);
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

  /** The limit is the server's and not a key's, so the status differs from the usual one of this code. */
  function refuseAsBusy(response: ServerResponse, requestId: string): void {
    const text = 'Too many pages are open at this moment.';
    const error = new ApiError('stream_limit_exceeded', text, { retry_after: RETRY_SECONDS });
    const envelope = errorEnvelope(error, baseUrl(), requestId);
    const headers = ['Cache-Control', 'no-store', 'Retry-After', String(RETRY_SECONDS)];
    const body = { ...envelope, error: { ...envelope.error, status: 503 } };
    responder.sendJson(response, 503, body, { requestId, headers });
  }

  function begin(day: DaySubscription, date: string, response: ServerResponse): void {
    const stream = createPageStream({
      sink: sinkOf(response),
      now: steadyNow,
      setTimer,
      retryMs: randomRetryMs(random),
      messageOf: day.latestMessage,
      onEnd: () => {
        day.release();
        streams.delete(stream);
      },
    });
    streams.add(stream);
    response.on('drain', stream.drained);
    response.once('close', stream.closed);
    stream.begin({ generated_at: formatTime(now()), date });
    day.subscribe(stream);
    // The server began to close while this stream was being opened.
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

interface PageStreamParts extends StreamTransport {
  /** The newest message about an event. */
  readonly messageOf: (id: number) => Buffer | undefined;
}

/** The stream of one open page. Calls after its end do nothing. */
interface PageStream {
  /** Sends the first bytes. */
  begin(hello: { readonly generated_at: string; readonly date: string }): void;
  /** These events have newer messages. */
  changed(ids: Iterable<number>): void;
  /** The sink accepts data again. */
  drained(): void;
  shutDown(): void;
  /** The client is gone, or everything is sent. */
  closed(): void;
}

/** A reader that is too slow keeps only the ids of missed events, and gets the newest message of each. */
export function createPageStream({ messageOf, ...pacing }: PageStreamParts): PageStream {
  const waiting = new Set<number>();
  const stream = createOpenStream({ ...pacing, onDrained: send, onMaximum: () => reconnect('max_stream_duration') });

  function send(): void {
    for (const id of waiting) {
      if (stream.isFull || !stream.isOpen) return;
      waiting.delete(id);
      const bytes = messageOf(id);
      if (bytes) stream.write(bytes);
    }
  }

  const reconnect = (reason: 'max_stream_duration' | 'server_shutdown') =>
    stream.finish([sseMessage('reconnect', { reason })]);

  return {
    begin(hello) {
      stream.begin();
      stream.write(sseMessage('hello', hello));
    },
    changed(ids) {
      if (!stream.isOpen) return;
      for (const id of ids) waiting.add(id);
      send();
    },
    drained: stream.drained,
    shutDown: () => reconnect('server_shutdown'),
    closed: stream.closed,
  };
}
