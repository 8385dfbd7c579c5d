import { LRUCache } from 'lru-cache';
import { foldOf } from '../../domain/fold.ts';
import type { Projection } from '../../domain/projection.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { EventLog } from '../../log/event-log.ts';

const MOST_STREAMS = 2000;
/** Records that are read together: a long stream that is followed from its beginning holds up nobody. */
const PAGE = 500;

/**
 * A projection's documents as they stood at any place of the one stream that feeds them, for whoever reads the log in its
 * order: the read models may be behind it, or ahead. Going on is cheap; going back, after a failure, begins anew.
 */
export interface FollowedStream<Doc> {
  /** The document of the record's key just before this record of the stream. It is lent: `after` may change it. */
  before(record: LogRecord): Promise<Doc | undefined>;
  /** The same, with the record folded. */
  after(record: LogRecord): Promise<Doc>;
  /** The document of a key as the stream had made it before this position of the log. */
  beforePosition(stream: string, key: string, position: bigint): Promise<Doc | undefined>;
}

interface State<Doc> {
  readonly documents: Map<string, Doc>;
  /** Of the last record that is folded; -1: none. */
  revision: number;
  position: bigint;
}

export function followStream<Doc>(
  projection: Projection<Doc>,
  log: Pick<EventLog, 'readStream'>,
  breathe: () => Promise<void> = async () => {},
): FollowedStream<Doc> {
  const { keyOf, into } = foldOf(projection);
  const states = new LRUCache<string, State<Doc>>({ max: MOST_STREAMS });

  /** @param isAhead whether what is kept is beyond the place that is asked for */
  function stateOf(stream: string, isAhead: (state: State<Doc>) => boolean): State<Doc> {
    const known = states.get(stream);
    if (known && !isAhead(known)) return known;
    const state: State<Doc> = { documents: new Map(), revision: -1, position: -1n };
    states.set(stream, state);
    return state;
  }

  function fold(state: State<Doc>, record: LogRecord): void {
    into(state.documents, record);
    state.revision = record.revision;
    state.position = record.position;
  }

  async function upTo({ stream, revision }: LogRecord, isAhead: (state: State<Doc>) => boolean): Promise<State<Doc>> {
    const state = stateOf(stream, isAhead);
    for (let missing = revision - state.revision - 1; missing > 0; missing = revision - state.revision - 1) {
      const page = await log.readStream(stream, {
        fromRevision: state.revision + 1,
        limit: Math.min(missing, PAGE),
      });
      if (page.length === 0) break;
      for (const record of page) fold(state, record);
      await breathe();
    }
    return state;
  }

  return {
    async before(record) {
      const state = await upTo(record, ({ revision }) => revision >= record.revision);
      return state.documents.get(keyOf(record)!);
    },
    async after(record) {
      const state = await upTo(record, ({ revision }) => revision > record.revision);
      if (state.revision < record.revision) fold(state, record);
      return state.documents.get(keyOf(record)!)!;
    },
    async beforePosition(stream, key, position) {
      const state = stateOf(stream, (kept) => kept.position >= position);
      for (;;) {
        const page = await log.readStream(stream, { fromRevision: state.revision + 1, limit: PAGE });
        const before = page.filter((record) => record.position < position);
        for (const record of before) fold(state, record);
        if (before.length < PAGE) return state.documents.get(key);
        await breathe();
      }
    },
  };
}
