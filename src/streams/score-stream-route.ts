import type { ServerResponse } from 'node:http';
import type { Router } from 'express';
import { ApiError, errorEnvelope, notFound } from '../calls/errors.ts';
import type { Done } from '../calls/operation.ts';
import { inputReader } from '../calls/operation-input.ts';
import type { Arrival, OpenCall, Pipeline } from '../calls/pipeline.ts';
import { requireSport } from '../calls/scopes.ts';
import type { Call } from '../calls/stages.ts';
import { isGone } from '../http/client-gone.ts';
import { bearerKey, queryKey } from '../http/credentials.ts';
import { refuseLargeBody } from '../http/json-body.ts';
import { methodNotAllowed } from '../http/operation-route.ts';
import type { Responder } from '../http/responder.ts';
import { addRoute, type RoutedRequest, type RouteHandler, searchOf } from '../http/routed-request.ts';
import { streamScores } from '../operations/events/stream-scores.ts';
import type { SetTimer } from '../time/timer.ts';
import { createKeyChecks } from './key-checks.ts';
import { createOpenResponses, retryAfter, STREAM_HEADERS, sinkOf } from './open-responses.ts';
import type { HeldEvent, ScoreHub } from './score-hub.ts';
import { createScoreStream, type ScoreStream } from './score-stream.ts';
import { message } from './stream-messages.ts';

export interface ScoreStreamsParts {
  readonly hub: ScoreHub;
  readonly pipeline: Pipeline;
  readonly responder: Responder;
  /** The public address, without a slash at its end. */
  readonly baseUrl: () => string;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  readonly setTimer: SetTimer;
  /** From 0 to 1, without 1. */
  readonly random: () => number;
}

/** All open score streams of this server. */
export interface ScoreStreams {
  readonly size: number;
  /** What their readers have not taken yet, in bytes. */
  readonly buffered: number;
  readonly mount: (router: Router) => void;
  /** Tells every client to come back, to another process or after the restart. Resolves when all have ended. */
  close(): Promise<void>;
}

const ALLOWED = 'GET, HEAD';

/** GET /v1/events/{id}/stream. */
export function createScoreStreams(parts: ScoreStreamsParts): ScoreStreams {
  const { hub, pipeline, responder, baseUrl, now, setTimer, random } = parts;
  const input = inputReader(streamScores);
  const streams = new Set<ScoreStream>();
  const keyChecks = createKeyChecks(pipeline.authenticate, setTimer);
  const responses = createOpenResponses(setTimer);
  let isClosing = false;

  /** Charges an opening as any other call. What it leads to is the event itself instead of one answer. */
  async function open(request: RoutedRequest, opened: OpenCall): Promise<Done<HeldEvent>> {
    refuseLargeBody(request);
    const read = input.fromHttp(request.params, searchOf(request), undefined);
    let held: HeldEvent | undefined;
    const hold = async ({ id }: { readonly id: number }): Promise<HeldEvent> => {
      held = await hub.hold(id);
      if (!held) throw notFound(`There is no event ${id}.`);
      requireSport(opened.call.principal, held.sport);
      return held;
    };
    try {
      return await pipeline.execute(streamScores, read, opened, hold);
    } catch (error) {
      held?.release();
      throw error;
    }
  }

  function begin(
    { output: held, credits }: Done<HeldEvent>,
    call: Call,
    key: string | undefined,
    response: ServerResponse,
  ) {
    const { requestId } = call;
    const stream = createScoreStream({
      eventId: held.eventId,
      sink: sinkOf(response),
      now,
      setTimer,
      retryMs: retryAfter(random),
      onEnd: () => {
        held.release();
        streams.delete(stream);
        forgetKey();
      },
    });
    const forgetKey = keyChecks.add(key, (error) => stream.fail(errorMessage(error, requestId)));
    const current = held.join({
      changed: stream.changed,
      failed: () => stream.fail(errorMessage(BROKEN, requestId)),
    });
    response.writeHead(200, responder.headers({ requestId, call, credits, headers: STREAM_HEADERS }));
    response.on('drain', stream.drained);
    response.once('close', stream.closed);
    streams.add(stream);
    stream.begin(current);
    // It was being opened when the others were told.
    if (isClosing) stream.shutDown();
  }

  const errorMessage = (error: ApiError, requestId: string): Buffer =>
    message('error', errorEnvelope(error, baseUrl(), requestId));

  const handler: RouteHandler = async (request, response) => {
    const requestId = responder.requestId(request);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const key = bearerKey(request) ?? queryKey(searchOf(request));
    const arrival: Arrival = isRead
      ? { key, requestId, operation: streamScores.name, kind: 'stream', isGone: (isPaid) => isGone(response, isPaid) }
      : { key, requestId };
    // From the start: a client that goes while its stream is being opened would not be heard later.
    const ended = new Promise<void>((resolve) => response.once('close', resolve));

    async function work(opened: OpenCall): Promise<ServerResponse> {
      if (!isRead) throw methodNotAllowed(request.method, ALLOWED);
      const done = await open(request, opened);
      try {
        if (response.destroyed) return response;
        if (request.method === 'GET') begin(done, opened.call, key, response);
        else {
          const { call } = opened;
          const facts = { requestId, call, credits: done.credits, headers: STREAM_HEADERS };
          response.writeHead(200, responder.headers(facts)).end();
        }
        await ended;
      } finally {
        done.output.release();
      }
      return response;
    }

    function refuse(error: unknown, call: Call | undefined): ServerResponse {
      if (isRead && error instanceof ApiError && error.code === 'not_found') {
        response.writeHead(200, responder.headers({ requestId, call, headers: STREAM_HEADERS }));
        response.end(errorMessage(error, requestId));
      } else {
        responder.sendError(response, error, { requestId, call, headers: isRead ? [] : ['Allow', ALLOWED] });
      }
      return response;
    }

    responses.add(response);
    try {
      await pipeline.within(arrival, work, refuse);
    } finally {
      responses.delete(response);
    }
  };

  return {
    get size() {
      return streams.size;
    },
    get buffered() {
      return responses.bytes;
    },
    mount: (router) => addRoute(router, streamScores.path.replace('{id}', ':id'), handler),
    async close() {
      isClosing = true;
      for (const stream of [...streams]) stream.shutDown();
      await responses.ended();
      await hub.close();
    },
  };
}

const BROKEN = new ApiError('internal_error', 'The server can no longer follow this event. Open the stream again.');
