import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Express, Request } from 'express';
import {
  count,
  emptyReport,
  type Intake,
  type IntakeItem,
  type Outcome,
  type OutcomeReport,
} from '../ingest/intake.ts';
import { ApiError, notFound } from '../operations/errors.ts';
import { byteLines, withoutBom } from './bounded-lines.ts';
import { bearerKey, isSameSecret } from './credentials.ts';
import { ingestBody, refuseLargeIngest } from './ingest-body.ts';
import { hasBody, unsupported } from './json-body.ts';
import { validationError } from './operation-input.ts';
import { methodNotAllowed, searchOf } from './operation-route.ts';
import type { Responder } from './responder.ts';

export interface IngestDoorParts {
  readonly intake: Intake;
  /** Unset, there is no door. */
  readonly ingestKey: string | undefined;
  readonly responder: Responder;
  /** Resolves when everything that stands in the log at this moment is projected. */
  readonly projected: () => Promise<void>;
}

/** Messages that are handed over at once: many enough to be fast, few enough to be small. */
const BATCH = 2000;
const PATH = '/ingest/v1/messages';

/**
 * The door for feed messages over HTTP. What stands before a fault of the whole body (too large, broken gzip) may be
 * taken already; sending it again does no harm, since messages are idempotent.
 */
export function ingestDoor({ intake, ingestKey, responder, projected }: IngestDoorParts): (app: Express) => void {
  return (app) =>
    app.route(PATH).all(async (request, response) => {
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
        const report = await take(request, intake);
        if (waits) await projected();
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

function readWait(request: Request): boolean {
  const values = new URLSearchParams(searchOf(request)).getAll('wait');
  if (values.length === 0) return false;
  if (values.length === 1 && values[0] === 'projected') return true;
  throw validationError([{ loc: ['query', 'wait'], msg: 'must be projected', type: 'invalid_value' }]);
}

async function take(request: IncomingMessage, intake: Intake): Promise<OutcomeReport> {
  refuseLargeIngest(request);
  const batches = new Batches(intake);
  if (!hasBody(request)) return batches.finish();
  const type = contentType(request);
  if (type === 'application/x-ndjson') await takeLines(ingestBody(request), batches);
  else if (type === 'application/json') await takeValue(ingestBody(request), batches);
  else throw unsupported('The body must be application/x-ndjson or application/json.');
  return batches.finish();
}

/** The type, when its charset can be read. */
function contentType({ headers }: IncomingMessage): string {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const charset = parameters.map((one) => one.trim()).find((one) => one.startsWith('charset='));
  if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset)) throw unsupported('The charset must be UTF-8.');
  return type.trim();
}

async function takeLines(chunks: AsyncIterable<Buffer>, batches: Batches): Promise<void> {
  for await (const { line, bytes } of byteLines(chunks)) {
    if (!isUtf8(bytes)) await batches.add(invalidJson(line, 'the line is not valid UTF-8'));
    else {
      const text = bytes.toString('utf8');
      if (text.trim() !== '') await batches.add({ line, text });
    }
  }
}

async function takeValue(chunks: AsyncIterable<Buffer>, batches: Batches): Promise<void> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  const bytes = withoutBom(Buffer.concat(all));
  const text = bytes.toString('utf8');
  if (text.trim() === '') return;
  let value: unknown;
  try {
    if (!isUtf8(bytes)) throw new SyntaxError('the body is not valid UTF-8');
    value = JSON.parse(text);
  } catch (error) {
    await batches.add(invalidJson(1, (error as Error).message));
    return;
  }
  const values = Array.isArray(value) ? (value as unknown[]) : [value];
  for (const [index, one] of values.entries()) await batches.add({ line: index + 1, value: one });
}

const invalidJson = (line: number, message: string): Outcome => ({
  line,
  status: 'rejected',
  code: 'invalid_json',
  message,
  path: '',
});

/** Hands messages over in batches, and counts outcomes in the order of the lines. */
class Batches {
  readonly #intake: Intake;
  readonly #report = emptyReport();
  #batch: (IntakeItem | Outcome)[] = [];

  constructor(intake: Intake) {
    this.#intake = intake;
  }

  /** A message, or the outcome of a line that is none. */
  async add(item: IntakeItem | Outcome): Promise<void> {
    this.#batch.push(item);
    if (this.#batch.length >= BATCH) await this.#hand();
  }

  async finish(): Promise<OutcomeReport> {
    if (this.#batch.length > 0) await this.#hand();
    return this.#report;
  }

  async #hand(): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    const outcomes = (await this.#intake.accept(batch.filter((item): item is IntakeItem => !isOutcome(item)))).values();
    count(
      this.#report,
      batch.map((item) => (isOutcome(item) ? item : outcomes.next().value!)),
    );
  }
}

const isOutcome = (item: IntakeItem | Outcome): item is Outcome => 'status' in item;
