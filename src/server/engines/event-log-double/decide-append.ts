export interface ProposedEvent {
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

/** The stream revision that an append expects. */
export type Expectation = 'any' | 'no-stream' | 'stream-exists' | number;

/** `current` is -1 if the stream does not exist. */
export type AppendAnswer =
  | { readonly ok: true; readonly revision: number; readonly position: number }
  | { readonly ok: false; readonly current: number };

/** Finds the events of a stream by their ids, however long ago they were appended. */
export interface KnownIds {
  revisionOf(stream: string, id: string): number | undefined;
  at(stream: string, revision: number): { readonly id: string; readonly position: number } | undefined;
}

interface Proposal {
  readonly stream: string;
  readonly expected: Expectation;
  readonly ids: readonly string[];
  readonly current: number;
}

/**
 * Decides as the engine does. An append of ids that are all in the stream is a repeated one: it succeeds, is told where
 * its last event is, and stores nothing. An append whose first id is there and another one is not is refused.
 */
export function decideAppend(proposal: Proposal, known: KnownIds): AppendAnswer | 'append' {
  const { stream, expected, ids, current } = proposal;
  const refused = { ok: false, current } as const;
  const isOpen = expected === 'any' || expected === 'stream-exists';
  const repeatedAt = (revision: number): AppendAnswer => ({
    ok: true,
    revision,
    position: known.at(stream, revision)!.position,
  });
  if (isOpen) {
    if (expected === 'stream-exists' && current === -1) return refused;
    const revisions = ids.map((id) => known.revisionOf(stream, id));
    // Whether an append is a repeated one is decided by its first id.
    if (revisions[0] === undefined) return 'append';
    const last = revisions.at(-1);
    return last === undefined || revisions.includes(undefined) ? refused : repeatedAt(last);
  }
  const expectedRevision = expected === 'no-stream' ? -1 : expected;
  if (expectedRevision === current) return 'append';
  const isRepeated = ids.length > 0 && ids.every((id, i) => known.at(stream, expectedRevision + 1 + i)?.id === id);
  return isRepeated ? repeatedAt(expectedRevision + ids.length) : refused;
}
