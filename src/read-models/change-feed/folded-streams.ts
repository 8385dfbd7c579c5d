import { createFold } from '../../domain/event-sourcing/document-fold.ts';
import { isBefore } from '../../domain/event-sourcing/position.ts';
import type { Projection } from '../../domain/event-sourcing/projection.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import { memorySize } from '../../domain/primitives/size-in-memory.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { StreamFold, StreamFoldCache } from './stream-fold-cache.ts';

/** Records per read: a long stream that is read from its beginning must not delay others. */
const PAGE = 256;
/** Records read beyond the requested revision: a reader of the log needs them next. */
const READ_AHEAD = 16;
/** Folded records after which a fold is measured again. */
const MEASURED_EVERY = 64;
const BYTES_OF_RECORD = 1000;

/**
 * The documents of a projection at any revision of the one stream that feeds them: the read models may be behind that
 * revision, or ahead. Continuing is cheap; going back starts a new fold. For one caller at a time.
 */
export interface FoldedStreams<Doc> {
  /** The document of the record's key just before this record. The caller must not keep it: `after` may change it. */
  before(record: LogRecord): Promise<Doc | undefined>;
  /** The same, with the record folded. */
  after(record: LogRecord): Promise<Doc>;
  /**
   * The document of a key before this position of the log.
   * @param committed a position that the log already has, at `position` or later: the stream is read once up to it
   */
  beforePosition(stream: string, key: string, position: bigint, committed: bigint): Promise<Doc | undefined>;
}

interface FoldedStream<Doc> extends StreamFold {
  readonly documents: Map<string, Doc>;
  revision: number;
  /** Position of the last folded record. */
  position: bigint;
  /** Records that are read but not folded, in order. */
  readAhead: LogRecord[];
  /** Up to this position of the log, the stream has no other records. */
  knownTo: bigint;
  /** Folded records since the last measurement. */
  foldsSinceMeasured: number;
}

export function createFoldedStreams<Doc>(
  projection: Projection<Doc>,
  log: Pick<EventLog, 'readStream'>,
  places: StreamFoldCache,
  breathe: () => Promise<void>,
): FoldedStreams<Doc> {
  const { keyOf, applyInto } = createFold(projection);
  const nameOf = (stream: string) => `${projection.name} ${stream}`;

  function newPlace(): FoldedStream<Doc> {
    const documents = new Map<string, Doc>();
    return {
      ...{ documents, revision: -1, position: -1n, readAhead: [], knownTo: -1n, foldsSinceMeasured: MEASURED_EVERY },
      bytes() {
        return 300 + memorySize(this.documents) + this.readAhead.length * BYTES_OF_RECORD;
      },
    };
  }

  const placeUpTo = (stream: string, revision: number): FoldedStream<Doc> =>
    places.findUpTo<FoldedStream<Doc>>(nameOf(stream), revision) ?? newPlace();

  function fold(place: FoldedStream<Doc>, record: LogRecord): void {
    applyInto(place.documents, record);
    place.revision = record.revision;
    place.position = record.position;
    place.foldsSinceMeasured++;
  }

  function keep(stream: string, place: FoldedStream<Doc>): void {
    if (place.foldsSinceMeasured < MEASURED_EVERY) return;
    place.foldsSinceMeasured = 0;
    places.put(nameOf(stream), place);
  }

  /**
   * Reads the next records.
   * @returns whether there may be more
   */
  async function readOn(stream: string, place: FoldedStream<Doc>, limit: number): Promise<boolean> {
    const fromRevision = (place.readAhead.at(-1)?.revision ?? place.revision) + 1;
    const page = await log.readStream(stream, { fromRevision, limit });
    place.readAhead.push(...page);
    return page.length === limit;
  }

  async function upTo(stream: string, revision: number): Promise<FoldedStream<Doc>> {
    const place = placeUpTo(stream, revision);
    while (place.revision < revision) {
      const next = place.readAhead.shift();
      if (next) {
        fold(place, next);
        continue;
      }
      await breathe();
      const isMore = await readOn(stream, place, Math.min(revision - place.revision + READ_AHEAD, PAGE));
      if (!isMore && place.readAhead.length === 0) break;
    }
    keep(stream, place);
    return place;
  }

  /**
   * The last fold before a position. Revisions do not show positions, so it is the furthest fold whose position is
   * early enough.
   */
  function placeBefore(stream: string, position: bigint): FoldedStream<Doc> {
    for (let revision = Number.MAX_SAFE_INTEGER; ; ) {
      const place = places.findUpTo<FoldedStream<Doc>>(nameOf(stream), revision);
      if (!place) return newPlace();
      if (place.position < position) return place;
      revision = place.revision - 1;
    }
  }

  return {
    async before(record) {
      const { documents } = await upTo(record.stream, record.revision - 1);
      return documents.get(keyOf(record)!);
    },
    async after(record) {
      const { documents } = await upTo(record.stream, record.revision);
      return documents.get(keyOf(record)!)!;
    },
    async beforePosition(stream, key, position, committed) {
      const place = placeBefore(stream, position);
      for (;;) {
        while (place.readAhead.length > 0 && place.readAhead[0]!.position < position)
          fold(place, place.readAhead.shift()!);
        if (place.readAhead.length > 0 || place.knownTo >= position) break;
        await breathe();
        if (!(await readOn(stream, place, PAGE))) place.knownTo = isBefore(position, committed) ? committed : position;
      }
      keep(stream, place);
      return place.documents.get(key);
    },
  };
}
