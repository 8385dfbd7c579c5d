import type { ServerResponse } from 'node:http';
import type { SetTimer } from '../../platform/async/timer.ts';
import type { ApiError } from '../calls/api-errors.ts';
import type { Operation, OperationContext, OperationResult } from '../calls/operation/operation.ts';
import type { Call } from '../calls/pipeline/admission.ts';
import type { AdmittedCall, IncomingCall, Pipeline } from '../calls/pipeline/pipeline.ts';
import { isClientGone } from '../http/requests/client-disconnect.ts';
import type { Responder } from '../http/responder.ts';
import { createKeyRevalidation } from './key-revalidation.ts';
import { createOpenResponses, randomRetryMs, STREAM_HEADERS, sinkOf } from './open-responses.ts';
import type { StreamTransport } from './open-stream.ts';

export interface StreamServerParts {
  readonly pipeline: Pipeline;
  readonly responder: Responder;
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

export interface ServedKind<Opened extends StreamResource> {
  /** Its price and its name are those of the opening. */
  readonly operation: Operation;
  create(opened: Opened, pacing: StreamTransport, asMessage: (error: ApiError) => Buffer): ServedStream;
  /** An error as the last message of a stream. */
  errorMessage(error: ApiError, requestId: string, opened: Opened): Buffer;
}

/** A request that opens a stream. */
export interface StreamOpening<Opened> {
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly key: string | undefined;
  readonly position?: string | undefined;
  /** Reads the input of the operation. @throws ApiError */
  readInput(): unknown;
  /** Replaces the operation's own `run`. An error refuses the opening. */
  acquire(input: any, context: OperationContext): Promise<Opened>;
  /** Answers with an error. */
  refuse(error: unknown, call: Call | undefined): void;
  /** The client asks for the head alone. */
  readonly isHead?: boolean;
}

/** All open streams of one kind. Each opening is charged like any call, and its slot is released when the stream ends. */
export interface StreamServer<Opened> {
  readonly size: number;
  /** Unread bytes of all streams. */
  readonly buffered: number;
  /** Resolves when the stream has ended, or its opening was refused. */
  serve(opening: StreamOpening<Opened>): Promise<void>;
  /** Tells every client that its stream ends. Resolves when all have ended. */
  close(): Promise<void>;
}

export function createStreamServer<Opened extends StreamResource>(
  kind: ServedKind<Opened>,
  { pipeline, responder, now, setTimer, random }: StreamServerParts,
): StreamServer<Opened> {
  const streams = new Set<ServedStream>();
  const keyChecks = createKeyRevalidation(pipeline.authenticate, setTimer);
  const responses = createOpenResponses(setTimer);
  let isClosing = false;

  /** Runs the operation; its output is the resource of the stream. */
  async function open(opening: StreamOpening<Opened>, opened: AdmittedCall): Promise<OperationResult<Opened>> {
    const read = opening.readInput();
    let resource: Opened | undefined;
    try {
      return await pipeline.execute(kind.operation, read, opened, async (values, context) => {
        resource = await opening.acquire(values, context);
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
    { key, response }: StreamOpening<Opened>,
  ): void {
    const { requestId } = call;
    const asMessage = (error: ApiError) => kind.errorMessage(error, requestId, resource);
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

  return {
    get size() {
      return streams.size;
    },
    get buffered() {
      return responses.bytes;
    },
    async serve(opening) {
      const { response, requestId, key, position, isHead = false } = opening;
      const arrival: IncomingCall = {
        key,
        requestId,
        operation: kind.operation.name,
        kind: 'stream',
        position,
        isClientGone: (isPaid) => isClientGone(response, isPaid),
      };
      // Registered early: a client that disconnects while its stream is opening would go unnoticed later.
      const ended = new Promise<void>((resolve) => response.once('close', resolve));

      async function work(opened: AdmittedCall): Promise<ServerResponse> {
        const done = await open(opening, opened);
        try {
          if (response.destroyed) return response;
          const { call } = opened;
          if (!isHead) begin(done, call, opening);
          else {
            const facts = { requestId, call, credits: done.credits, headers: STREAM_HEADERS };
            response.writeHead(200, responder.headers(facts)).end();
          }
          await ended;
        } finally {
          done.output.release();
        }
        return response;
      }

      responses.add(response);
      try {
        await pipeline.handleCall(arrival, work, (error, call) => {
          opening.refuse(error, call);
          return response;
        });
      } finally {
        responses.delete(response);
      }
    },
    async close() {
      isClosing = true;
      for (const stream of [...streams]) stream.shutDown();
      await responses.ended();
    },
  };
}
