/** The bytes of server-sent events, as in the WHATWG HTML standard. */

/** Sent after a time without messages, so that proxies keep the connection open. */
export const KEEP_ALIVE = Buffer.from(': keep-alive\n\n');

/** @param data becomes JSON, which has no line breaks, so it is one `data` line */
export function sseMessage(event: string, data: unknown, id?: string): Buffer {
  return sseJsonMessage(event, JSON.stringify(data), id);
}

/** @param json the data, on one line */
export function sseJsonMessage(event: string, json: string, id?: string): Buffer {
  const idLine = id === undefined ? '' : `id: ${id}\n`;
  return Buffer.from(`event: ${event}\n${idLine}data: ${json}\n\n`);
}

/** Delay before the client reconnects, in milliseconds. */
export const sseRetry = (milliseconds: number): Buffer => Buffer.from(`retry: ${Math.round(milliseconds)}\n\n`);

/** Digits of the largest 64-bit position. */
const ID_DIGITS = 20;

/** All ids have the same length, so that they also sort as text. */
export const sseMessageId = (position: bigint): string => String(position).padStart(ID_DIGITS, '0');
