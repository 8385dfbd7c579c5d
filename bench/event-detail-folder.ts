import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { bodyOf, eventMessages, homeOf, priceMessages } from './event-requests.ts';
import { ingestFile } from './launched.ts';

/** Fills a data folder by `ingest` with so many events, each with a schedule, a score and the prices of three books. */
export async function fillWithEvents(
  folder: string,
  events: number,
  messagesOf: (n: number) => readonly object[] = eventMessages,
): Promise<void> {
  const file = `${folder}.ndjson`;
  let messages = 0;
  function* lines() {
    for (let n = 1; n <= events; n++) {
      const own = [...messagesOf(n), ...priceMessages(n)];
      messages += own.length;
      yield own.map((message) => `${JSON.stringify(message)}\n`).join('');
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(file));
  await ingestFile(folder, file, messages);
}

/** @throws Error where an event's detail is not that event's */
export async function checkDetail(port: number, key: string, path: string, n: number): Promise<void> {
  const text = (await bodyOf(port, key, path)).toString();
  if (text.includes(`"${homeOf(n)}"`) && text.includes('"7:42"')) return;
  throw new Error(`${join('/', path)} is not event ${n}: ${text}`);
}

/** From 1 to `count`, in an order that no page of the disk follows; the same in every run. */
export function shuffled(count: number): number[] {
  const numbers = Array.from({ length: count }, (_, n) => n + 1);
  let state = 12_345;
  for (let n = count - 1; n > 0; n--) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    const other = Math.floor((state / 2 ** 32) * (n + 1));
    [numbers[n], numbers[other]] = [numbers[other]!, numbers[n]!];
  }
  return numbers;
}
