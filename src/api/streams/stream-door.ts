import type { ServerResponse } from 'node:http';
import type { SetTimer } from '../../platform/time/timer.ts';
import { ApiError, errorEnvelope } from '../calls/errors.ts';
import type { Done, Operation, OperationContext } from '../calls/operation.ts';
import { inputReader } from '../calls/operation-input.ts';
import type { Arrival, OpenCall, Pipeline } from '../calls/pipeline.ts';
import type { Call } from '../calls/stages.ts';
import { isGone } from '../http/client-gone.ts';
import { bearerKey, queryKey } from '../http/credentials.ts';
import { refuseLargeBody } from '../http/json-body.ts';
import { methodNotAllowed } from '../http/operation-route.ts';
import { positionIn } from '../http/position-header.ts';
import type { Responder } from '../http/responder.ts';
import { type RoutedRequest, type RouteHandler, searchOf } from '../http/routed-request.ts';
import { createKeyChecks } from './key-checks.ts';
import { createOpenResponses, retryAfter, STREAM_HEADERS, sinkOf } from './open-responses.ts';
import type { Pacing } from './open-stream.ts';
import { message } from './stream-messages.ts';

export interface StreamDoorParts {
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

/** An open stream, whatever it tells. */
export interface DoorStream {
  begin(): void;
  drained(): void;
  fail(message: Buffer): void;
  shutDown(): void;
  closed(): void;
}

/** What an opening has come to, which the stream needs as long as it is open. */
export interface Held {
  release(): void;
}

export interface StreamKind<Opened extends Held> {
  readonly operation: Operation;
  /** In place of the operation's own run. What it throws refuses the opening. */
  hold(input: any, context: OperationContext, request: RoutedRequest): Promise<Opened>;
  /** @param asMessage an error as a message of the stream */
  create(opened: Opened, pacing: Pacing, asMessage: (error: ApiError) => Buffer): DoorStream;
  /** Errors that are told in a stream, for readers that see nothing else; absent: none. */
  readonly isToldInStream?: (error: ApiError) => boolean;
}

/** All open streams of one kind. */
export interface StreamDoor {
  readonly size: number;
  /** What their readers have not taken yet, in bytes. */
  readonly buffered: number;
  readonly handler: RouteHandler;
  /** Tells every client to come back, to another process or after the restart. Resolves when all have ended. */
  close(): Promise<void>;
}

const ALLOWED = 'GET, HEAD';

/** A route that opens streams: each opening is charged as any other call, and its place is given back at the end. */
export function createStreamDoor<Opened extends Held>(kind: StreamKind<Opened>, parts: StreamDoorParts): StreamDoor {
  const { pipeline, responder, baseUrl, now, setTimer, random } = parts;
  const { operation, isToldInStream = () => false } = kind;
  const input = inputReader(operation);
  const streams = new Set<DoorStream>();
  const keyChecks = createKeyChecks(pipeline.authenticate, setTimer);
  const responses = createOpenResponses(setTimer);
  let isClosing = false;

  /** What it leads to is what the stream needs, instead of one answer. */
  async function open(request: RoutedRequest, opened: OpenCall): Promise<Done<Opened>> {
    refuseLargeBody(request);
    const read = input.fromHttp(request.params, searchOf(request), undefined);
    let held: Opened | undefined;
    try {
      return await pipeline.execute(operation, read, opened, async (asked, context) => {
        held = await kind.hold(asked, context, request);
        return held;
      });
    } catch (error) {
      held?.release();
      throw error;
    }
  }

  function begin(
    { output: held, credits }: Done<Opened>,
    call: Call,
    key: string | undefined,
    response: ServerResponse,
  ): void {
    const { requestId } = call;
    const asMessage = (error: ApiError) => errorMessage(error, requestId);
    let forgetKey = () => {};
    const pacing: Pacing = {
      sink: sinkOf(response),
      now,
      setTimer,
      retryMs: retryAfter(random),
      onEnd() {
        held.release();
        streams.delete(stream);
        forgetKey();
      },
    };
    const stream = kind.create(held, pacing, asMessage);
    forgetKey = keyChecks.add(key, (error) => stream.fail(asMessage(error)));
    response.writeHead(200, responder.headers({ requestId, call, credits, headers: STREAM_HEADERS }));
    response.on('drain', stream.drained);
    response.once('close', stream.closed);
    streams.add(stream);
    stream.begin();
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
      ? {
          ...{ key, requestId, operation: operation.name, kind: 'stream', position: positionIn(request) },
          isGone: (isPaid) => isGone(response, isPaid),
        }
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
      if (isRead && error instanceof ApiError && isToldInStream(error)) {
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
    handler,
    async close() {
      isClosing = true;
      for (const stream of [...streams]) stream.shutDown();
      await responses.ended();
    },
  };
}
