import { setImmediate } from 'node:timers/promises';
import { type EventDocument, events } from '../../../projections/sports-events/events.ts';
import { cloneDocument, createFold, type DocumentAtPosition } from '../../domain/event-sourcing/document-fold.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import { isOver } from '../../domain/sports-events/sports-event.ts';
import { streams } from '../../domain/streams/domain-events.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { ScoreSnapshot } from '../../read-models/rendering/event-schemas.ts';
import type { DocumentReader } from '../../read-models/store/document-reader.ts';
import { sseMessage, sseMessageId } from './sse-messages.ts';

/** An encoded score: the same bytes for every reader. */
export interface ScoreFrame {
  readonly bytes: Buffer;
  /** Equal fingerprints of one event mean equal scores, so no change is sent. */
  readonly fingerprint: string;
  /** The event is final, cancelled or a walkover: nothing follows. */
  readonly over: boolean;
}

/** A stream that gets the changes of one event. */
export interface ScoreReader {
  changed(frame: ScoreFrame): void;
  /** The event can no longer be followed; nothing follows. */
  failed(): void;
}

interface WatchedEventParts {
  readonly log: Pick<EventLog, 'readStream'>;
  readonly store: Pick<DocumentReader, 'get'>;
  readonly render: (document: EventDocument) => ScoreSnapshot;
  readonly onError: (error: unknown) => void;
}

interface WatchedState extends DocumentAtPosition<EventDocument> {
  /** Earlier records of the stream are reflected, or change nothing. */
  readonly revision: number;
  readonly snapshot: ScoreSnapshot;
  readonly fingerprint: string;
  /** Encoded on first use: most repeated reports are never sent. */
  frame: ScoreFrame | undefined;
}

const fold = createFold(events);
/** Records in one read; other requests are served in between. */
const PAGE = 256;

/** A watched event: its folded document and its readers. */
export class WatchedEvent {
  readonly stream: string;
  readonly readers = new Set<ScoreReader>();
  /** Open streams and openings in progress. */
  holderCount = 0;
  readonly #key: string;
  readonly #parts: WatchedEventParts;
  #state: WatchedState | undefined;
  #failed = false;
  /** Position of the newest record received before the document was loaded. */
  #seen = -1n;
  #loading: Promise<boolean> | undefined;

  constructor(eventId: number, parts: WatchedEventParts) {
    this.#key = String(eventId);
    this.stream = streams.event(eventId);
    this.#parts = parts;
  }

  /** The event was found, and receives records. */
  get isLoaded(): boolean {
    return this.#state !== undefined;
  }

  get sport(): string {
    return this.#present().document.sport;
  }

  /**
   * Resolves when the event is loaded in its current state or a newer one. The caller guarantees that the subscription
   * will deliver every record not yet in the log.
   * @param started resolves when the subscription's first position is known
   * @returns false if there was no such event when the first opening read it
   */
  async open(started: Promise<unknown>): Promise<boolean> {
    if (!this.#loading) {
      this.#loading = this.#load(started);
      return this.#loading;
    }
    if (!(await this.#loading)) return false;
    // The event was read by an earlier opening, and the subscription may lag: the client may have polled a newer score
    // already. Revisions have no gaps, so the next records are read from the log; the same records from the
    // subscription are then ignored.
    for await (const record of this.#recordsFrom(this.#state!.revision)) this.receive(record);
    return true;
  }

  async #load(started: Promise<unknown>): Promise<boolean> {
    // Wait first: a record committed after the stream is read and before the subscription's first position would be
    // lost.
    await started;
    const { store, render } = this.#parts;
    const stored = await store.get<EventDocument>(events.name, this.#key);
    // A store in memory returns its own documents, which must not be changed.
    let at = stored && cloneDocument(stored);
    // The stored document may be older than the log, or newer than the subscription. Positions show which records are
    // missing.
    let revision = at ? await this.#firstAfter(at.position) : 0;
    do {
      for await (const record of this.#recordsFrom(revision)) {
        revision = record.revision + 1;
        if (fold.handles(record.type)) at = fold.applyIfNewer(at, record);
      }
      // Records that arrived meanwhile were dropped by `receive`, but they are in the log, so read again. Nothing is
      // awaited after the last check, so no record can be lost before the state is set.
    } while (this.#seen > (at?.position ?? -1n));
    if (!at?.document.event.schedule) return false;
    const snapshot = render(at.document);
    this.#state = { ...at, revision, snapshot, fingerprint: fingerprintOf(snapshot), frame: undefined };
    return true;
  }

  /** In pages, since a stream may be long. */
  async *#recordsFrom(revision: number): AsyncGenerator<LogRecord> {
    for (let fromRevision = revision; ; ) {
      const page = await this.#parts.log.readStream(this.stream, { fromRevision, limit: PAGE });
      yield* page;
      if (page.length < PAGE) return;
      fromRevision += page.length;
      await setImmediate();
    }
  }

  /**
   * Revision of the first record after this position. Searches from the end, since few records follow those in the
   * stored document.
   */
  async #firstAfter(position: bigint): Promise<number> {
    let first: number | undefined;
    for (;;) {
      const options = first === undefined ? {} : { fromRevision: first - 1 };
      const page = await this.#parts.log.readStream(this.stream, { direction: 'backwards', limit: PAGE, ...options });
      first ??= (page[0]?.revision ?? -1) + 1;
      for (const record of page) {
        if (record.position <= position) return first;
        first = record.revision;
      }
      if (first === 0) return 0;
      await setImmediate();
    }
  }

  /** Takes a record of this event's stream; they come in order. */
  receive(record: LogRecord): void {
    if (this.#failed || !fold.handles(record.type)) return;
    if (!this.#state) {
      this.#seen = record.position;
      return;
    }
    try {
      this.#apply(this.#state, record);
    } catch (error) {
      // The document may be half changed: this event fails, the others go on.
      this.#failed = true;
      this.#parts.onError(error);
      for (const reader of this.readers) reader.failed();
    }
  }

  #apply(state: WatchedState, record: LogRecord): void {
    const after = fold.applyIfNewer(state, record);
    // The record was already in the document when it was read.
    if (after === state) return;
    const snapshot = this.#parts.render(after.document);
    const fingerprint = fingerprintOf(snapshot);
    const next: WatchedState = {
      ...after,
      revision: record.revision + 1,
      snapshot,
      fingerprint,
      frame: undefined,
    };
    this.#state = next;
    if (fingerprint === state.fingerprint || this.readers.size === 0) return;
    const frame = frameOf(next);
    for (const reader of this.readers) {
      try {
        reader.changed(frame);
      } catch (error) {
        // A failing reader must not affect the others.
        this.#parts.onError(error);
      }
    }
  }

  /** Every later change goes to `reader`. @returns the current score */
  join(reader: ScoreReader): ScoreFrame {
    const frame = frameOf(this.#present());
    this.readers.add(reader);
    return frame;
  }

  #present(): WatchedState {
    if (!this.#state || this.#failed) throw new Error(`event ${this.#key} cannot be followed`);
    return this.#state;
  }
}

function frameOf(state: WatchedState): ScoreFrame {
  const { snapshot, fingerprint, position } = state;
  state.frame ??= {
    bytes: sseMessage('score', snapshot, sseMessageId(position)),
    fingerprint,
    over: isOver(snapshot.status),
  };
  return state.frame;
}

/** The members whose change is sent; a new name or `updated_at` alone is not. */
const fingerprintOf = ({ status, period, clock, scores }: ScoreSnapshot): string =>
  JSON.stringify([
    status,
    period,
    clock,
    scores.map(({ score, game_score, is_winner, period_scores }) => [score, game_score, is_winner, period_scores]),
  ]);
