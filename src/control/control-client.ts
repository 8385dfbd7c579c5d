import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { controlSocket } from '../data-folder/paths.ts';
import type { OutcomeReport } from '../ingest/intake.ts';
import { type ControlLine, type ControlProgress, NDJSON } from './control-messages.ts';

/** The hand-over did not come to its end. What the server had taken before stays taken. */
export class HandOverFailed extends Error {
  readonly code = 'hand_over_failed';
  readonly report: OutcomeReport | undefined;
  constructor(message: string, report?: OutcomeReport) {
    super(message);
    this.name = 'HandOverFailed';
    this.report = report;
  }
}

const DIED = 'the server ended in the middle of the work; what it had taken is kept, run the command again';

/** True when a server of this folder takes hand-overs. @param folder its real path */
export function serverListens(folder: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(controlSocket(folder).path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/**
 * Asks the server of this folder to do something, and waits for its end.
 * @param route method and path, such as `POST /ingest`
 * @returns what the route answers
 * @throws HandOverFailed, or what reading `body` throws
 */
export async function askServer<Result>(
  folder: string,
  route: string,
  body?: AsyncIterable<Uint8Array>,
  onProgress: (progress: ControlProgress) => void = () => {},
): Promise<Result> {
  const [method, path] = route.split(' ');
  const failure: { error?: unknown } = {};
  const lines = await new Promise<AsyncIterable<Uint8Array>>((resolve, reject) => {
    const request = httpRequest({
      socketPath: controlSocket(folder).path,
      method,
      path,
      headers: { 'content-type': NDJSON },
    });
    request.once('response', resolve);
    // After an answer has begun, its own end tells what became of the work.
    request.on('error', () => reject(failure.error ?? new HandOverFailed(DIED)));
    if (!body) request.end();
    else {
      const input = Readable.from(body, { objectMode: false });
      input.on('error', (error) => {
        failure.error = error;
        request.destroy();
        reject(error);
      });
      input.pipe(request);
    }
  });
  let last: ControlLine | undefined;
  try {
    for await (const line of jsonLines(lines)) {
      last = line;
      if ('progress' in line) onProgress(line.progress);
    }
  } catch {
    // The connection broke: whether the work came to its end shows by the last line.
  }
  if (failure.error) throw failure.error;
  if (last && 'result' in last) return last.result as Result;
  if (last && 'error' in last) throw new HandOverFailed(last.error.message, last.error.report);
  throw new HandOverFailed(DIED);
}

async function* jsonLines(input: AsyncIterable<Uint8Array>): AsyncGenerator<ControlLine> {
  let held = '';
  const decoder = new TextDecoder();
  for await (const piece of input) {
    const lines = (held + decoder.decode(piece, { stream: true })).split('\n');
    held = lines.pop()!;
    for (const line of lines) yield JSON.parse(line) as ControlLine;
  }
}
