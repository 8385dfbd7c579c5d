import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError, type ErrorCode, errorEnvelope } from '../../calls/api-errors.ts';
import { requestIdOf } from '../responder.ts';

interface RawErrorResponsesParts {
  /** The public address, without a slash at its end. */
  readonly baseUrl: () => string;
  readonly newRequestId: () => string;
}

/** Answers what never becomes a request of the application, with an error envelope in place of Node's bare answer. */
interface RawErrorResponses {
  /** Answers a request whose headers were parsed. */
  refuse(request: IncomingMessage, response: ServerResponse, code: ErrorCode, message: string): void;
  /** Answers on a connection that can no longer be parsed or waited for, and closes it. */
  close(connection: Duplex, code: ErrorCode, message: string): void;
}

/** Time for the client to read the error; then the connection is destroyed. */
const CLOSE_DELAY_MS = 1000;

export function createRawErrorResponses({ baseUrl, newRequestId }: RawErrorResponsesParts): RawErrorResponses {
  function answer(code: ErrorCode, message: string, requestId: string) {
    const error = new ApiError<ErrorCode>(code, message, {} as never);
    const body = JSON.stringify(errorEnvelope(error, baseUrl(), requestId));
    const headers = {
      'X-Request-Id': requestId,
      'X-Credits-Used': '0',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
      Connection: 'close',
    };
    return { status: error.status, headers, body };
  }

  /** Connections whose input is no longer parsed; the error is sent after the current answer. */
  const waiting = new WeakSet<Duplex>();

  const responses: RawErrorResponses = {
    refuse(request, response, code, message) {
      const { status, headers, body } = answer(code, message, requestIdOf(request, newRequestId));
      response.writeHead(status, headers).end(body);
    },
    close(connection, code, message) {
      const response = answering(connection);
      if (!connection.writable || (response?.headersSent && !response.req.complete)) {
        // This request will stay incomplete, and its answer has begun: nothing more can be sent.
        connection.destroy();
      } else if (response?.req.complete) {
        // Sent now, the error would be taken for the answer to the previous request.
        if (!waiting.has(connection)) response.once('finish', () => responses.close(connection, code, message));
        waiting.add(connection);
      } else {
        const { status, headers, body } = answer(code, message, newRequestId());
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
        connection.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
        setTimeout(() => connection.destroy(), CLOSE_DELAY_MS).unref();
      }
    },
  };
  return responses;
}

/** The current answer on a connection, from a private member of Node. */
const answering = (connection: Duplex): ServerResponse | null | undefined =>
  (connection as Duplex & { readonly _httpMessage?: ServerResponse | null })._httpMessage;
