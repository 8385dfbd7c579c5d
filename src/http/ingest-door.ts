import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { Router } from 'express';
import { ApiError, notFound } from '../calls/errors.ts';
import { validationError } from '../calls/operation-input.ts';
import type { Places } from '../domain/position.ts';
import {
  BATCH,
  count,
  emptyReport,
  type Intake,
  type Outcome,
  type OutcomeReport,
  trackPlaces,
} from '../ingest/intake.ts';
import { takeLines } from '../ingest/take-lines.ts';
import { bearerKey, isSameSecret } from './credentials.ts';
import { ingestBody, refuseLargeIngest } from './ingest-body.ts';
import { hasBody, unsupported } from './json-body.ts';
import { methodNotAllowed } from './operation-route.ts';
import type { Responder } from './responder.ts';
import { addRoute, type RoutedRequest, searchOf } from './routed-request.ts';

export interface IngestDoorParts {
  readonly intake: Intake;
  /** Unset, there is no door. */
  readonly ingestKey: string | undefined;
  readonly responder: Responder;
  /** Resolves when the read models show everything up to these places; without any, all that is in the log now. */
  readonly projected: (places?: Places) => Promise<void>;
}

const PATH = '/ingest/v1/messages';

/** The door for feed messages over HTTP. */
export function ingestDoor({ intake, ingestKey, responder, projected }: IngestDoorParts): (router: Router) => void {
  return (router) =>
    addRoute(router, PATH, async (request, response) => {
      const requestId = responder.requestId(request);
      const headers = request.method === 'POST' ? [] : ['Allow', 'POST'];
      try {
        if (ingestKey === undefined) throw notFound('There is nothing at this path.');
        const key = bearerKey(request);
        if (key === undefined || !isSameSecret(key, ingestKey)) {
          throw new ApiError('unauthorized', 'The ingest key is required: Authorization: Bearer <INGEST_KEY>.');
        }
        if (request.method !== 'POST') throw methodNotAllowed(request.method, 'POST');
        const waits = readWait(request);
        const own = trackPlaces(intake);
        const report = await take(request, own.intake);
        // What was known already was appended by an earlier call, which may have left before it could be read.
        if (waits) await projected(report.unchanged > 0 ? undefined : own.places);
        const isRefused = report.received > 0 && report.rejected === report.received;
        responder.sendJson(response, isRefused ? 400 : 200, report, {
          requestId,
          headers: ['Cache-Control', 'no-store'],
        });
      } catch (error) {
        // The client went away in the middle: nobody is there to be told, and nothing has failed here.
        if (request.destroyed && !request.complete) return;
        responder.sendError(response, error, { requestId, headers });
      }
    });
}

function readWait(request: RoutedRequest): boolean {
  const values = new URLSearchParams(searchOf(request)).getAll('wait');
  if (values.length === 0) return false;
  if (values.length === 1 && values[0] === 'projected') return true;
  throw validationError([{ loc: ['query', 'wait'], msg: 'must be projected', type: 'invalid_value' }]);
}

/**
 * The body is read to its end before anything of it is taken: one that is too large, is no gzip or breaks off leaves
 * nothing behind.
 */
async function take(request: IncomingMessage, intake: Intake): Promise<OutcomeReport> {
  refuseLargeIngest(request);
  if (!hasBody(request)) return emptyReport();
  const type = contentType(request);
  if (type !== 'application/x-ndjson' && type !== 'application/json') {
    throw unsupported('The body must be application/x-ndjson or application/json.');
  }
  const body = await wholeBody(request);
  return type === 'application/x-ndjson' ? takeLines(intake, inPieces(body)) : takeValues(intake, body);
}

const PIECE = 256 * 1024;

/** With a turn of the event loop between: lines of a large body are many, and others are waiting. */
async function* inPieces(body: Buffer): AsyncGenerator<Buffer> {
  for (let from = 0; from < body.length; from += PIECE) {
    yield body.subarray(from, from + PIECE);
    await setImmediate();
  }
}

async function wholeBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of ingestBody(request)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The type, when its charset can be read. */
function contentType({ headers }: IncomingMessage): string {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const charset = parameters.map((one) => one.trim()).find((one) => one.startsWith('charset='));
  if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset)) throw unsupported('The charset must be UTF-8.');
  return type.trim();
}

/** One object, or an array of them, which count as lines. A body that is no JSON is one rejected message. */
async function takeValues(intake: Intake, body: Buffer): Promise<OutcomeReport> {
  const report = emptyReport();
  const bytes = body.subarray(0, 3).equals(BOM) ? body.subarray(3) : body;
  const text = bytes.toString('utf8');
  if (text.trim() === '') return report;
  let value: unknown;
  try {
    if (!isUtf8(bytes)) throw new SyntaxError('the body is not valid UTF-8');
    value = JSON.parse(text);
  } catch (error) {
    count(report, [invalidJson(1, (error as Error).message)]);
    return report;
  }
  const items = (Array.isArray(value) ? (value as unknown[]) : [value]).map((one, index) => ({
    line: index + 1,
    value: one,
  }));
  for (let start = 0; start < items.length; start += BATCH)
    count(report, (await intake.accept(items.slice(start, start + BATCH))).outcomes);
  return report;
}

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

const invalidJson = (line: number, message: string): Outcome => ({
  line,
  status: 'rejected',
  code: 'invalid_json',
  message,
  path: '',
});
