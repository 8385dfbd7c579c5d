import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Router } from 'express';
import type { PartitionPositions } from '../../../domain/event-sourcing/position.ts';
import { UnavailableError } from '../../../domain/primitives/domain-errors.ts';
import { ingestLines } from '../../../ingest/intake/ingest-lines.ts';
import { createOutcomeReport, type Intake, type OutcomeReport, trackPositions } from '../../../ingest/intake/intake.ts';
import type { BackgroundWork } from '../../../platform/async/background-work.ts';
import { realTimer, type SetTimer } from '../../../platform/async/timer.ts';
import { ApiError, badRequest, notFound } from '../../calls/api-errors.ts';
import { validationError } from '../../calls/operation/operation-input.ts';
import { POSITION_HEADER, type PositionTokens } from '../../calls/pipeline/position-tokens.ts';
import { isSameSecret, readBearerKey } from '../requests/credentials.ts';
import { hasBody, payloadTooLarge, unsupportedMediaType } from '../requests/json-body.ts';
import type { Responder } from '../responder.ts';
import { addRoute, queryStringOf, type RoutedRequest } from '../routed-request.ts';
import { ingestJsonValues } from './ingest-json.ts';
import { methodNotAllowed } from './operation-route.ts';

export interface IngestEndpointParts {
  readonly intake: Intake;
  /** Undefined: the endpoint does not exist. */
  readonly ingestKey: string | undefined;
  readonly responder: Responder;
  /**
   * Resolves when the read models show everything up to these positions; without positions, all that is in the log now.
   */
  readonly projected: (positions?: PartitionPositions, options?: { readonly signal?: AbortSignal }) => Promise<void>;
  readonly positions: Pick<PositionTokens, 'issue'>;
  /** Background work that pauses during a request. */
  readonly background?: Pick<BackgroundWork, 'requestStarted' | 'requestEnded'> | undefined;
  readonly setTimer?: SetTimer;
}

/** The longest wait for the read models: including the ingest before it, the answer comes within 10 seconds. */
const WAIT_MS = 9500;

export const INGEST_PATH = '/ingest/v1/messages';

/** The endpoint for feed messages over HTTP. */
export function createIngestEndpoint(parts: IngestEndpointParts): (router: Router) => void {
  const { ingestKey, responder, projected, positions, background, setTimer = realTimer } = parts;
  const intake = background ? trackWaitingIntake(parts.intake, background) : parts.intake;

  /** Whether the accepted messages can be read, now or within the time limit. */
  async function isProjected(appended: PartitionPositions | undefined): Promise<boolean> {
    const limit = new AbortController();
    const cancel = setTimer(() => limit.abort(), WAIT_MS);
    try {
      await projected(appended, { signal: limit.signal });
      return true;
    } catch (error) {
      // The projections are down or too slow. The messages were accepted, so the request must not fail.
      if (limit.signal.aborted || error instanceof UnavailableError) return false;
      throw error;
    } finally {
      cancel();
    }
  }

  return (router) =>
    addRoute(router, INGEST_PATH, async (request, response) => {
      const requestId = responder.requestId(request);
      const headers = request.method === 'POST' ? [] : ['Allow', 'POST'];
      try {
        if (ingestKey === undefined) throw notFound('There is nothing at this path.');
        const key = readBearerKey(request);
        if (key === undefined || !isSameSecret(key, ingestKey)) {
          throw new ApiError('unauthorized', 'The ingest key is required: Authorization: Bearer <INGEST_KEY>.');
        }
        if (request.method !== 'POST') throw methodNotAllowed(request.method, 'POST');
        const waits = readWait(request);
        const own = trackPositions(intake);
        const report = await ingestRequest(request, own.intake);
        // Unchanged messages were appended by an earlier call, perhaps not yet projected: wait for the whole log.
        const appended = report.unchanged > 0 ? undefined : own.positions;
        const position = await positions.issue(appended);
        const body = waits ? { ...report, projected: await isProjected(appended) } : report;
        const isRefused = report.received > 0 && report.rejected === report.received;
        responder.sendJson(response, isRefused ? 400 : 200, body, {
          requestId,
          headers: ['Cache-Control', 'no-store', ...(position === undefined ? [] : [POSITION_HEADER, position])],
        });
      } catch (error) {
        // The client disconnected during the upload: nothing has failed, and no answer can be sent.
        if (request.destroyed && !request.complete) return;
        responder.sendError(response, error, { requestId, headers });
      }
    });
}

const trackWaitingIntake = (
  intake: Intake,
  background: Pick<BackgroundWork, 'requestStarted' | 'requestEnded'>,
): Intake => ({
  async accept(items) {
    background.requestStarted();
    try {
      return await intake.accept(items);
    } finally {
      background.requestEnded();
    }
  },
});

function readWait(request: RoutedRequest): boolean {
  const values = new URLSearchParams(queryStringOf(request)).getAll('wait');
  if (values.length === 0) return false;
  if (values.length === 1 && values[0] === 'projected') return true;
  throw validationError([{ loc: ['query', 'wait'], msg: 'must be projected', type: 'invalid_value' }]);
}

/**
 * The whole body is read before any message is accepted: a body that is too large, not gzip or incomplete must have no
 * effect.
 */
async function ingestRequest(request: IncomingMessage, intake: Intake): Promise<OutcomeReport> {
  refuseLargeIngestBody(request);
  if (!hasBody(request)) return createOutcomeReport();
  const type = contentType(request);
  if (type !== 'application/x-ndjson' && type !== 'application/json') {
    throw unsupportedMediaType('The body must be application/x-ndjson or application/json.');
  }
  const body = await wholeBody(request);
  return type === 'application/x-ndjson' ? ingestLines(intake, Readable.from([body])) : ingestJsonValues(intake, body);
}

async function wholeBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of readIngestBody(request)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The media type, if the charset is UTF-8. */
function contentType({ headers }: IncomingMessage): string {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const charset = parameters.map((one) => one.trim()).find((one) => one.startsWith('charset='));
  if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset))
    throw unsupportedMediaType('The charset must be UTF-8.');
  return type.trim();
}

const MAX_INGEST_BODY = 16 * 1024 * 1024;

/**
 * The bytes of the body, unzipped if necessary. Both sides are counted, so that a small body cannot expand to a huge
 * one.
 * @throws ApiError payload_too_large, unsupported_media_type; bad_request for invalid gzip
 */
async function* readIngestBody(request: IncomingMessage): AsyncGenerator<Buffer> {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  // Stopping early must not close the connection: the answer still has to be sent over it.
  const sent = bounded(request.iterator({ destroyOnReturn: false }));
  if (encoding === 'identity') yield* sent;
  else if (encoding === 'gzip' || encoding === 'x-gzip') yield* bounded(gunzipped(sent));
  else throw unsupportedMediaType('The body may be gzip or plain; no other Content-Encoding is taken.');
}

/** @throws ApiError payload_too_large from the Content-Length alone, before reading */
function refuseLargeIngestBody({ headers }: IncomingMessage): void {
  if (Number(headers['content-length'] ?? 0) > MAX_INGEST_BODY) throw payloadTooLarge(MAX_INGEST_BODY);
}

async function* bounded(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > MAX_INGEST_BODY) throw payloadTooLarge(MAX_INGEST_BODY);
    yield chunk;
  }
}

async function* gunzipped(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  const source = Readable.from(chunks, { objectMode: false });
  // An error of the source must reach the reader of the output unchanged.
  source.on('error', (error) => gunzip.destroy(error));
  source.pipe(gunzip);
  try {
    for await (const chunk of gunzip) yield chunk as Buffer;
  } catch (error) {
    const isOfGzip =
      typeof (error as { code?: unknown }).code === 'string' && String((error as any).code).startsWith('Z_');
    throw isOfGzip ? badRequest('The body is not valid gzip.') : error;
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}
