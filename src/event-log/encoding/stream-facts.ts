import type { RecordMeta } from '../../domain/record.ts';

/**
 * The kind of partition of each kind of stream, where both have the same id: `odds-12` is of `event-12`. Records that
 * have been written without their partition depend on it, so that nothing in here may ever be changed; a kind of stream
 * that is not in here has its partition in each record.
 */
const PARTITIONS: ReadonlyMap<string, string> = new Map([
  ['event', 'event'],
  ['odds', 'event'],
  ['splits', 'event'],
  ['box', 'event'],
  ['lineup', 'event'],
  ['team', 'team'],
  ['injuries', 'team'],
  ['player', 'player'],
  ['season', 'season'],
  ['intelligence', 'event'],
  ['account', 'account'],
  ['calls', 'account'],
]);

/** What of its records follows from a stream's name. */
export interface StreamFacts {
  /** Undefined where no partition follows. All records share it, so it cannot be changed. */
  readonly meta: RecordMeta | undefined;
  /** The number at the name's end; undefined where there is none that is spelt as numbers are. */
  readonly id: number | undefined;
}

/** About 300 bytes each. A log is read in the order of its records, in which thousands of streams may take turns. */
const KEPT = 16_384;
const kept = new Map<string, StreamFacts>();

export function streamFacts(stream: string): StreamFacts {
  let facts = kept.get(stream);
  if (facts === undefined) {
    facts = factsOf(stream);
    if (kept.size >= KEPT) kept.clear();
    kept.set(stream, facts);
  }
  return facts;
}

function factsOf(stream: string): StreamFacts {
  const end = stream.indexOf('-');
  const kind = PARTITIONS.get(stream.slice(0, end));
  const text = stream.slice(end + 1);
  const id = Number(text);
  return {
    meta: kind === undefined ? undefined : Object.freeze({ partition: kind + stream.slice(end) }),
    id: Number.isSafeInteger(id) && String(id) === text ? id : undefined,
  };
}
