import type { IncomingMessage } from 'node:http';
import type { Router } from 'express';
import type { Places } from '../../domain/position.ts';
import { Unavailable } from '../../domain/unavailable.ts';
import { emptyReport, type Intake, type OutcomeReport, trackPlaces } from '../../ingest/intake.ts';
import { takeLines } from '../../ingest/take-lines.ts';
import type { Background } from '../../platform/time/background.ts';
import { realTimer, type SetTimer } from '../../platform/time/timer.ts';
import { ApiError, notFound } from '../calls/errors.ts';
import { LEDGERLINE_POSITION, type LogPositions } from '../calls/log-positions.ts';
import { validationError } from '../calls/operation-input.ts';
import { bearerKey, isSameSecret } from './credentials.ts';
import { ingestBody, refuseLargeIngest } from './ingest-body.ts';
import { takeValues } from './ingest-values.ts';
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
  readonly projected: (places?: Places, options?: { readonly signal?: AbortSignal }) => Promise<void>;
  readonly positions: Pick<LogPositions, 'tell'>;
  /** Told that somebody waits. */
  readonly background?: Pick<Background, 'awaited' | 'answered'> | undefined;
  readonly setTimer?: SetTimer;
}

/** The longest that an answer waits for the read models: with what was before it, a client has it within 10 seconds. */
const WAIT_MS = 9500;

export const INGEST_PATH = '/ingest/v1/messages';

/** The door for feed messages over HTTP. */
export function ingestDoor(parts: IngestDoorParts): (router: Router) => void {
  const { ingestKey, responder, projected, positions, background, setTimer = realTimer } = parts;
  const intake = background ? awaitedIntake(parts.intake, background) : parts.intake;

  /** Whether what was taken can be read: now, or before the client has waited too long. */
  async function isProjected(places: Places | undefined): Promise<boolean> {
    const limit = new AbortController();
    const cancel = setTimer(() => limit.abort(), WAIT_MS);
    try {
      await projected(places, { signal: limit.signal });
      return true;
    } catch (error) {
      // Nobody projects now. What was taken was taken: its sender must not hear that it failed.
      if (limit.signal.aborted || error instanceof Unavailable) return false;
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
        const key = bearerKey(request);
        if (key === undefined || !isSameSecret(key, ingestKey)) {
          throw new ApiError('unauthorized', 'The ingest key is required: Authorization: Bearer <INGEST_KEY>.');
        }
        if (request.method !== 'POST') throw methodNotAllowed(request.method, 'POST');
        const waits = readWait(request);
        const own = trackPlaces(intake);
        const report = await take(request, own.intake);
        // What was known already was appended by an earlier call, which may have left before it could be read.
        const places = report.unchanged > 0 ? undefined : own.places;
        const position = await positions.tell(places);
        const told = waits ? { ...report, projected: await isProjected(places) } : report;
        const isRefused = report.received > 0 && report.rejected === report.received;
        responder.sendJson(response, isRefused ? 400 : 200, told, {
          requestId,
          headers: ['Cache-Control', 'no-store', ...(position === undefined ? [] : [LEDGERLINE_POSITION, position])],
        });
      } catch (error) {
        // The client went away in the middle: nobody is there to be told, and nothing has failed here.
        if (request.destroyed && !request.complete) return;
        responder.sendError(response, error, { requestId, headers });
      }
    });
}

const awaitedIntake = (intake: Intake, background: Pick<Background, 'awaited' | 'answered'>): Intake => ({
  async accept(items) {
    background.awaited();
    try {
      return await intake.accept(items);
    } finally {
      background.answered();
    }
  },
});

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
  return type === 'application/x-ndjson' ? takeLines(intake, only(body)) : takeValues(intake, body);
}

async function* only(body: Buffer): AsyncGenerator<Buffer> {
  yield body;
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
