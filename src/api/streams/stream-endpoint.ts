import type { ServerResponse } from 'node:http';
import type { Router } from 'express';
import type { SetTimer } from '../../platform/async/timer.ts';
import { ApiError, errorEnvelope } from '../calls/api-errors.ts';
import type { Operation, OperationContext, OperationResult } from '../calls/operation/operation.ts';
import { createInputReader } from '../calls/operation/operation-input.ts';
import type { Call } from '../calls/pipeline/admission.ts';
import type { AdmittedCall, IncomingCall, Pipeline } from '../calls/pipeline/pipeline.ts';
import { methodNotAllowed } from '../http/endpoints/operation-route.ts';
import { isClientGone } from '../http/requests/client-disconnect.ts';
import { readBearerKey, readQueryKey } from '../http/requests/credentials.ts';
import { refuseLargeBody } from '../http/requests/json-body.ts';
import { readPosition } from '../http/requests/request-headers.ts';
import type { Responder } from '../http/responder.ts';
import { addRoute, queryStringOf, type RoutedRequest, type RouteHandler } from '../http/routed-request.ts';
import { createKeyRevalidation } from './key-revalidation.ts';
import { createOpenResponses, randomRetryMs, STREAM_HEADERS, sinkOf } from './open-responses.ts';
import type { StreamTransport } from './open-stream.ts';
import { sseMessage } from './sse-messages.ts';

export interface StreamEndpointParts {
  readonly pipeline: Pipeline;
  readonly responder: Responder;
  /** The public address, without a slash at its end. */
  readonly baseUrl: () => string;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  readonly setTimer: SetTimer;
  /** At least 0, less than 1. */
  readonly random: () => number;
}

/** An open stream of any kind. */
interface ServedStream {
  begin(): void;
  drained(): void;
  fail(message: Buffer): void;
  shutDown(): void;
  closed(): void;
}

/** What a stream holds while it is open. */
export interface StreamResource {
  release(): void;
}

interface StreamKind<Opened extends StreamResource> {
  readonly operation: Operation;
  /** Replaces the operation's own `run`. An error refuses the opening. */
  acquire(input: any, context: OperationContext, request: RoutedRequest): Promise<Opened>;
  /** @param asMessage encodes an error as a message of the stream */
  create(opened: Opened, pacing: StreamTransport, asMessage: (error: ApiError) => Buffer): ServedStream;
  /** Errors that are sent as a message in a stream, for clients that see nothing else; absent: none. */
  readonly isSentInStream?: (error: ApiError) => boolean;
  /** Called once all streams have ended. */
  close(): Promise<void>;
}

/** All open streams of one kind. */
export interface StreamEndpoint {
  readonly size: number;
  /** Unread bytes of all streams. */
  readonly buffered: number;
  mount(router: Router): void;
  /** Tells every client to reconnect, to another process or after the restart. Resolves when all streams have ended. */
  close(): Promise<void>;
}

const ALLOWED = 'GET, HEAD';

/** A route that opens streams. Each opening is charged like any call, and its slot is released when the stream ends. */
export function createStreamEndpoint<Opened extends StreamResource>(
  kind: StreamKind<Opened>,
  parts: StreamEndpointParts,
): StreamEndpoint {
  const { pipeline, responder, baseUrl, now, setTimer, random } = parts;
  const { operation, isSentInStream = () => false } = kind;
  const input = createInputReader(operation);
  const streams = new Set<ServedStream>();
  const keyChecks = createKeyRevalidation(pipeline.authenticate, setTimer);
  const responses = createOpenResponses(setTimer);
  let isClosing = false;

  /** Runs the operation; its output is the resource of the stream. */
  async function open(request: RoutedRequest, opened: AdmittedCall): Promise<OperationResult<Opened>> {
    refuseLargeBody(request);
    const read = input.fromHttp(request.params, queryStringOf(request), undefined);
    let resource: Opened | undefined;
    try {
      return await pipeline.execute(operation, read, opened, async (values, context) => {
        resource = await kind.acquire(values, context, request);
        return resource;
      });
    } catch (error) {
      resource?.release();
      throw error;
    }
  }

  function begin(
    { output: resource, credits }: OperationResult<Opened>,
    call: Call,
    key: string | undefined,
    response: ServerResponse,
  ): void {
    const { requestId } = call;
    const asMessage = (error: ApiError) => errorMessage(error, requestId);
    let forgetKey = () => {};
    const pacing: StreamTransport = {
      sink: sinkOf(response),
      now,
      setTimer,
      retryMs: randomRetryMs(random),
      onEnd() {
        resource.release();
        streams.delete(stream);
        forgetKey();
      },
    };
    const stream = kind.create(resource, pacing, asMessage);
    forgetKey = keyChecks.add(key, (error) => stream.fail(asMessage(error)));
    response.writeHead(200, responder.headers({ requestId, call, credits, headers: STREAM_HEADERS }));
    response.on('drain', stream.drained);
    response.once('close', stream.closed);
    streams.add(stream);
    stream.begin();
    // The stream was still opening when `close` informed the others.
    if (isClosing) stream.shutDown();
  }

  const errorMessage = (error: ApiError, requestId: string): Buffer =>
    sseMessage('error', errorEnvelope(error, baseUrl(), requestId));

  const handler: RouteHandler = async (request, response) => {
    const requestId = responder.requestId(request);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const key = readBearerKey(request) ?? readQueryKey(queryStringOf(request));
    const arrival: IncomingCall = isRead
      ? {
          key,
          requestId,
          operation: operation.name,
          kind: 'stream',
          position: readPosition(request),
          isClientGone: (isPaid) => isClientGone(response, isPaid),
        }
      : { key, requestId };
    // Registered early: a client that disconnects while its stream is opening would go unnoticed later.
    const ended = new Promise<void>((resolve) => response.once('close', resolve));

    async function work(opened: AdmittedCall): Promise<ServerResponse> {
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
      if (isRead && error instanceof ApiError && isSentInStream(error)) {
        response.writeHead(200, responder.headers({ requestId, call, headers: STREAM_HEADERS }));
        response.end(errorMessage(error, requestId));
      } else {
        responder.sendError(response, error, { requestId, call, headers: isRead ? [] : ['Allow', ALLOWED] });
      }
      return response;
    }

    responses.add(response);
    try {
      await pipeline.handleCall(arrival, work, refuse);
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
    mount: (router) => addRoute(router, operation.path.replaceAll(/\{(\w+)\}/g, ':$1'), handler),
    async close() {
      isClosing = true;
      for (const stream of [...streams]) stream.shutDown();
      await responses.ended();
      await kind.close();
    },
  };
}
