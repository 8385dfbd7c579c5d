import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { badRequest } from '../calls/errors.ts';
import { tooLarge, unsupported } from './json-body.ts';

const MAX_INGEST_BODY = 16 * 1024 * 1024;

/**
 * The bytes of the body, decompressed where it is gzip. They are counted on both sides, so that a small body cannot
 * become a large one.
 * @throws ApiError payload_too_large, unsupported_media_type; bad_request for what is not gzip
 */
export async function* ingestBody(request: IncomingMessage): AsyncGenerator<Buffer> {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  // Giving up on the body must not end the connection: the answer has to go back over it.
  const sent = bounded(request.iterator({ destroyOnReturn: false }));
  if (encoding === 'identity') yield* sent;
  else if (encoding === 'gzip' || encoding === 'x-gzip') yield* bounded(gunzipped(sent));
  else throw unsupported('The body may be gzip or plain; no other Content-Encoding is taken.');
}

/** @throws ApiError payload_too_large before anything is read, where the head tells it */
export function refuseLargeIngest({ headers }: IncomingMessage): void {
  if (Number(headers['content-length'] ?? 0) > MAX_INGEST_BODY) throw tooLarge(MAX_INGEST_BODY);
}

async function* bounded(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > MAX_INGEST_BODY) throw tooLarge(MAX_INGEST_BODY);
    yield chunk;
  }
}

async function* gunzipped(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  const source = Readable.from(chunks, { objectMode: false });
  // What breaks the source must reach the reader of what comes out, and keep its kind.
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
