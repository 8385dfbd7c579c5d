import type { Position } from '../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import type { EventLog } from '../port/event-log.ts';

interface OpenStream {
  readonly stream: string;
  /** Read and not yet returned. */
  page: readonly LogRecord[];
  next: number;
  isAtEnd: boolean;
}

interface StreamsInOrderOptions {
  /** Records read at once from each stream; default 256. */
  readonly pageSize?: number;
  /** Records up to this position. */
  readonly through: Position;
}

/**
 * The records of these streams in the order of the log, in pages. Records of one recorded time stay in one page, unless
 * they are more than eight pages.
 */
export async function* streamsInOrder(
  log: Pick<EventLog, 'readStream'>,
  streams: readonly string[],
  { pageSize = 256, through }: StreamsInOrderOptions,
): AsyncGenerator<readonly LogRecord[]> {
  const open: OpenStream[] = streams.map((stream) => ({ stream, page: [], next: 0, isAtEnd: false }));
  const fromRevisions = new Map<string, number>();
  async function headOf(it: OpenStream): Promise<LogRecord | undefined> {
    if (it.next === it.page.length && !it.isAtEnd) {
      const fromRevision = fromRevisions.get(it.stream) ?? 0;
      it.page = await log.readStream(it.stream, { fromRevision, limit: pageSize });
      it.next = 0;
      it.isAtEnd = it.page.length < pageSize;
      fromRevisions.set(it.stream, fromRevision + it.page.length);
    }
    const record = it.page[it.next];
    return record && record.position <= through ? record : undefined;
  }
  let page: LogRecord[] = [];
  for (;;) {
    let first: { readonly it: OpenStream; readonly record: LogRecord } | undefined;
    for (const it of open) {
      const record = await headOf(it);
      if (record && (!first || record.position < first.record.position)) first = { it, record };
    }
    const isFull = page.length >= pageSize && page.at(-1)!.recordedAt !== first?.record.recordedAt;
    if (page.length > 0 && (!first || isFull || page.length >= 8 * pageSize)) {
      yield page;
      page = [];
    }
    if (!first) return;
    page.push(first.record);
    first.it.next++;
  }
}
