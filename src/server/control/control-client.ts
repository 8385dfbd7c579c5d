import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import type { OutcomeReport } from '../../ingest/intake/intake.ts';
import { controlSocket } from '../../platform/data-folder/folder-paths.ts';
import { type ControlFailure, type ControlLine, type ControlProgress, NDJSON } from './control-messages.ts';
import { byShortPath } from './short-path.ts';
import { hasOwnSocket } from './socket-owner.ts';

/** The hand-over was not completed. What the server ingested before stays ingested. */
export class HandOverFailed extends Error {
  readonly code = 'hand_over_failed';
  readonly report: OutcomeReport | undefined;
  /** Whether the server ended, so that the request may be repeated. */
  readonly again: boolean;
  constructor({ message, report, again = false }: ControlFailure) {
    super(message);
    this.name = 'HandOverFailed';
    this.report = report;
    this.again = again;
  }
}

const DIED: ControlFailure = {
  message: 'the server ended in the middle of the work; what it had taken is kept, run the command again',
  again: true,
};

/** Whether a server of this folder accepts hand-overs. @param folder its real path @throws ForeignSocket */
export async function isServerListening(folder: string): Promise<boolean> {
  if (!hasOwnSocket(folder)) return false;
  return byShortPath(
    controlSocket(folder),
    (path) =>
      new Promise((resolve) => {
        const socket = connect(path);
        socket.once('connect', () => {
          socket.destroy();
          resolve(true);
        });
        socket.once('error', () => resolve(false));
      }),
  );
}

/**
 * Sends a request to the server of this folder, and waits until it is done.
 * @param route method and path, such as `POST /ingest`
 * @returns the route's result
 * @throws HandOverFailed, ForeignSocket, or what reading `body` throws
 */
export async function callServer<Result>(
  folder: string,
  route: string,
  body?: AsyncIterable<Uint8Array>,
  onProgress: (progress: ControlProgress) => void = () => {},
): Promise<Result> {
  const [method, path] = route.split(' ');
  const failure: { error?: unknown } = {};
  if (!hasOwnSocket(folder)) throw new HandOverFailed(DIED);
  const answer = (socketPath: string) =>
    new Promise<AsyncIterable<Uint8Array>>((resolve, reject) => {
      const request = httpRequest({ socketPath, method, path, headers: { 'content-type': NDJSON } });
      request.once('response', resolve);
      // Once the answer has begun, its end tells the outcome of the work.
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
  const lines = await byShortPath(controlSocket(folder), answer);
  let last: ControlLine | undefined;
  try {
    for await (const line of jsonLines(lines)) {
      last = line;
      if ('progress' in line) onProgress(line.progress);
    }
  } catch {
    // The connection broke. The last line shows whether the work was completed.
  }
  if (failure.error) throw failure.error;
  if (last && 'result' in last) return last.result as Result;
  if (last && 'error' in last) throw new HandOverFailed(last.error);
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
