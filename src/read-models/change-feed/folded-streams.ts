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
  /** The same, with a record at the position itself. */
  throughPosition(stream: string, key: string, position: bigint, committed: bigint): Promise<Doc | undefined>;
}

/** A place of the log up to which a stream is folded. */
interface PlaceInLog {
  readonly position: bigint;
  readonly committed: bigint;
  /** Whether a record at this position is folded. */
  readonly isWithin: (position: bigint) => boolean;
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
  cache: StreamFoldCache,
  yieldIfDue: () => Promise<void>,
): FoldedStreams<Doc> {
  const { keyOf, applyInto } = createFold(projection);
  const nameOf = (stream: string) => `${projection.name} ${stream}`;

  function newFold(): FoldedStream<Doc> {
    const documents = new Map<string, Doc>();
    return {
      documents,
      revision: -1,
      position: -1n,
      readAhead: [],
      knownTo: -1n,
      foldsSinceMeasured: MEASURED_EVERY,
      bytes() {
        return 300 + memorySize(this.documents) + this.readAhead.length * BYTES_OF_RECORD;
      },
    };
  }

  const findUpTo = (stream: string, revision: number): FoldedStream<Doc> =>
    cache.findUpTo<FoldedStream<Doc>>(nameOf(stream), revision) ?? newFold();

  function foldRecord(folded: FoldedStream<Doc>, record: LogRecord): void {
    applyInto(folded.documents, record);
    folded.revision = record.revision;
    folded.position = record.position;
    folded.foldsSinceMeasured++;
  }

  function keepIfDue(stream: string, folded: FoldedStream<Doc>): void {
    if (folded.foldsSinceMeasured < MEASURED_EVERY) return;
    folded.foldsSinceMeasured = 0;
    cache.put(nameOf(stream), folded);
  }

  /**
   * Reads the next records.
   * @returns whether there may be more
   */
  async function readNext(stream: string, folded: FoldedStream<Doc>, limit: number): Promise<boolean> {
    const fromRevision = (folded.readAhead.at(-1)?.revision ?? folded.revision) + 1;
    const page = await log.readStream(stream, { fromRevision, limit });
    folded.readAhead.push(...page);
    return page.length === limit;
  }

  async function foldUpTo(stream: string, revision: number): Promise<FoldedStream<Doc>> {
    const folded = findUpTo(stream, revision);
    while (folded.revision < revision) {
      const next = folded.readAhead.shift();
      if (next) {
        foldRecord(folded, next);
        continue;
      }
      await yieldIfDue();
      const isMore = await readNext(stream, folded, Math.min(revision - folded.revision + READ_AHEAD, PAGE));
      if (!isMore && folded.readAhead.length === 0) break;
    }
    keepIfDue(stream, folded);
    return folded;
  }

  /**
   * The last fold before a position. Revisions do not show positions, so it is the furthest fold whose position is
   * early enough.
   */
  function findBefore(stream: string, isWithin: (position: bigint) => boolean): FoldedStream<Doc> {
    for (let revision = Number.MAX_SAFE_INTEGER; ; ) {
      const folded = cache.findUpTo<FoldedStream<Doc>>(nameOf(stream), revision);
      if (!folded) return newFold();
      if (isWithin(folded.position)) return folded;
      revision = folded.revision - 1;
    }
  }

  async function documentAt(
    stream: string,
    key: string,
    { position, committed, isWithin }: PlaceInLog,
  ): Promise<Doc | undefined> {
    const folded = findBefore(stream, isWithin);
    for (;;) {
      while (folded.readAhead.length > 0 && isWithin(folded.readAhead[0]!.position))
        foldRecord(folded, folded.readAhead.shift()!);
      if (folded.readAhead.length > 0 || folded.knownTo >= position) break;
      await yieldIfDue();
      if (!(await readNext(stream, folded, PAGE)))
        folded.knownTo = isBefore(position, committed) ? committed : position;
    }
    keepIfDue(stream, folded);
    return folded.documents.get(key);
  }

  return {
    async before(record) {
      const { documents } = await foldUpTo(record.stream, record.revision - 1);
      return documents.get(keyOf(record)!);
    },
    async after(record) {
      const { documents } = await foldUpTo(record.stream, record.revision);
      return documents.get(keyOf(record)!)!;
    },
    beforePosition: (stream, key, position, committed) =>
      documentAt(stream, key, { position, committed, isWithin: (given) => given < position }),
    throughPosition: (stream, key, position, committed) =>
      documentAt(stream, key, { position, committed, isWithin: (given) => given <= position }),
  };
}
