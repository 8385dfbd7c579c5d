/** The bytes of server-sent events, as the WHATWG HTML standard spells them. */

/** Sent where there was nothing else to send for a while, so that proxies do not take the connection for dead. */
export const KEEP_ALIVE = Buffer.from(': keep-alive\n\n');

/** @param data what becomes JSON; JSON has no line breaks, so that it is one `data` line. */
export function sseMessage(event: string, data: unknown, id?: string): Buffer {
  return sseJsonMessage(event, JSON.stringify(data), id);
}

/** @param json of the data, on one line */
export function sseJsonMessage(event: string, json: string, id?: string): Buffer {
  const idLine = id === undefined ? '' : `id: ${id}\n`;
  return Buffer.from(`event: ${event}\n${idLine}data: ${json}\n\n`);
}

/** How long the client shall wait before it opens the stream again, in milliseconds. */
export const sseRetry = (milliseconds: number): Buffer => Buffer.from(`retry: ${Math.round(milliseconds)}\n\n`);

/** Digits of the largest position (64 bits). */
const ID_DIGITS = 20;

/** Ids are as long as each other, so that they sort as text too. */
export const sseMessageId = (position: bigint): string => String(position).padStart(ID_DIGITS, '0');
