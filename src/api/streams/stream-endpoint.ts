import type { Router } from 'express';
import { ApiError, errorEnvelope } from '../calls/api-errors.ts';
import type { OperationContext } from '../calls/operation/operation.ts';
import { createInputReader } from '../calls/operation/operation-input.ts';
import type { Call } from '../calls/pipeline/admission.ts';
import { methodNotAllowed } from '../http/endpoints/operation-route.ts';
import { readBearerKey, readQueryKey } from '../http/requests/credentials.ts';
import { refuseLargeBody } from '../http/requests/json-body.ts';
import { readPosition } from '../http/requests/request-headers.ts';
import { addRoute, queryStringOf, type RoutedRequest, type RouteHandler } from '../http/routed-request.ts';
import { STREAM_HEADERS } from './open-responses.ts';
import { sseMessage } from './sse-messages.ts';
import { createStreamServer, type ServedKind, type StreamResource, type StreamServerParts } from './stream-server.ts';

export interface StreamEndpointParts extends StreamServerParts {
  /** The public address, without a slash at its end. */
  readonly baseUrl: () => string;
}

interface StreamKind<Opened extends StreamResource> extends Pick<ServedKind<Opened>, 'operation' | 'create'> {
  /** Replaces the operation's own `run`. An error refuses the opening. */
  acquire(input: any, context: OperationContext, request: RoutedRequest): Promise<Opened>;
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

/** A route that opens streams. */
export function createStreamEndpoint<Opened extends StreamResource>(
  kind: StreamKind<Opened>,
  parts: StreamEndpointParts,
): StreamEndpoint {
  const { pipeline, responder, baseUrl } = parts;
  const { operation, isSentInStream = () => false } = kind;
  const input = createInputReader(operation);
  const errorMessage = (error: ApiError, requestId: string): Buffer =>
    sseMessage('error', errorEnvelope(error, baseUrl(), requestId));
  const server = createStreamServer<Opened>({ operation, create: kind.create, errorMessage }, parts);

  const handler: RouteHandler = async (request, response) => {
    const requestId = responder.requestId(request);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const key = readBearerKey(request) ?? readQueryKey(queryStringOf(request));

    function refuse(error: unknown, call: Call | undefined): void {
      if (isRead && error instanceof ApiError && isSentInStream(error)) {
        response.writeHead(200, responder.headers({ requestId, call, headers: STREAM_HEADERS }));
        response.end(errorMessage(error, requestId));
      } else {
        responder.sendError(response, error, { requestId, call, headers: isRead ? [] : ['Allow', ALLOWED] });
      }
    }

    if (!isRead) {
      const refused = (error: unknown, call: Call | undefined) => {
        refuse(error, call);
        return response;
      };
      await pipeline.handleCall(
        { key, requestId },
        () => Promise.reject(methodNotAllowed(request.method, ALLOWED)),
        refused,
      );
      return;
    }
    await server.serve({
      response,
      requestId,
      key,
      position: readPosition(request),
      isHead: request.method === 'HEAD',
      readInput() {
        refuseLargeBody(request);
        return input.fromHttp(request.params, queryStringOf(request), undefined);
      },
      acquire: (values, context) => kind.acquire(values, context, request),
      refuse,
    });
  };

  return {
    get size() {
      return server.size;
    },
    get buffered() {
      return server.buffered;
    },
    mount: (router) => addRoute(router, operation.path.replaceAll(/\{(\w+)\}/g, ':$1'), handler),
    async close() {
      await server.close();
      await kind.close();
    },
  };
}
