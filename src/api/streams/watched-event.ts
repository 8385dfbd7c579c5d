import { setImmediate } from 'node:timers/promises';
import { type EventDocument, events } from '../../../projections/sports-events/events.ts';
import { cloneDocument, createFold, type DocumentAtPosition } from '../../domain/event-sourcing/document-fold.ts';
import { isReplayed, type LogRecord } from '../../domain/event-sourcing/record.ts';
import { isOver } from '../../domain/sports-events/sports-event.ts';
import { partitions, streams } from '../../domain/streams/domain-events.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { readStreamPages } from '../../event-log/storage/read-pages.ts';
import { readReplacements } from '../../event-log/subscription/follow-replacements.ts';
import { type EventRestatedRecord, isEventRestated } from '../../read-models/projector/folding/restated-documents.ts';
import type { ScoreSnapshot } from '../../read-models/rendering/event-schemas.ts';
import type { DocumentReader } from '../../read-models/store/document-reader.ts';
import { isShown } from '../../read-models/store/known-league-reader.ts';
import { sseMessage, sseMessageId } from './sse-messages.ts';

/** An encoded score: the same bytes for every reader. */
export interface ScoreFrame {
  readonly eventId: number;
  readonly bytes: Buffer;
  /** Equal fingerprints of one event mean equal scores, so no change is sent. */
  readonly fingerprint: string;
  /** The event is final, cancelled or a walkover: nothing follows. */
  readonly over: boolean;
}

/** The same with what it was encoded from. */
export interface WatchedFrame extends ScoreFrame {
  /** As it is now: later records change it in place. */
  readonly document: EventDocument;
  readonly snapshot: ScoreSnapshot;
  /** The id of the message. */
  readonly id: string;
}

/** A stream that gets the changes of one event. */
export interface ScoreReader {
  changed(frame: WatchedFrame): void;
  /** The event can no longer be followed; nothing follows. */
  failed(): void;
  /** An operator has mended the event: what the client asked for may be another event now. Its new score follows. */
  restated?(): void;
}

interface WatchedEventParts {
  readonly log: Pick<EventLog, 'readStream' | 'replacements'>;
  readonly store: Pick<DocumentReader, 'get'>;
  readonly render: (document: EventDocument) => ScoreSnapshot;
  readonly onError: (error: unknown) => void;
}

interface WatchedState extends DocumentAtPosition<EventDocument> {
  /** The stream that has the records now. */
  readonly stream: string;
  /** Earlier records of the stream are reflected, or change nothing. */
  readonly revision: number;
  readonly snapshot: ScoreSnapshot;
  readonly fingerprint: string;
  /** Encoded on first use: most repeated reports are never sent. */
  frame: WatchedFrame | undefined;
}

const fold = createFold(events);
/** Records in one read; other requests are served in between. */
const PAGE = 256;

/** A watched event: its folded document and its readers. */
export class WatchedEvent {
  /** All records of the event lie in this partition, whichever stream has them. */
  readonly partition: string;
  readonly eventId: number;
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
  /** The event has other streams since this record, which is not yet in the state. */
  #restated: EventRestatedRecord | undefined;
  #restating: Promise<void> | undefined;

  constructor(eventId: number, parts: WatchedEventParts) {
    this.eventId = eventId;
    this.#key = String(eventId);
    this.partition = partitions.event(eventId);
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
    await this.#restating;
    const { stream, revision } = this.#present();
    for await (const record of this.#recordsFrom(stream, revision)) this.receive(record);
    return true;
  }

  async #load(started: Promise<unknown>): Promise<boolean> {
    // Wait first: a record committed after the stream is read and before the subscription's first position would be
    // lost.
    await started;
    const { store, render } = this.#parts;
    const stored = await store.get<EventDocument>(events.name, this.#key);
    const stream = this.#restated?.stream ?? this.#parts.log.replacements.current(streams.event(Number(this.#key)));
    // The stored document may be older than the log, or newer than the subscription. Positions show which records are
    // missing.
    let revision = (stored && (await this.#firstAfter(stream, stored.position))) ?? 0;
    // A store in memory returns its own documents, which must not be changed.
    let at = stored && revision > 0 ? cloneDocument(stored) : undefined;
    do {
      for await (const record of this.#recordsFrom(stream, revision)) {
        revision = record.revision + 1;
        if (fold.handles(record.type)) at = fold.applyIfNewer(at, record);
      }
      // Records that arrived meanwhile were dropped by `receive`, but they are in the log, so read again. Nothing is
      // awaited after the last check, so no record can be lost before the state is set.
    } while (this.#seen > (at?.position ?? -1n) && !this.#restated);
    // The event got other streams meanwhile.
    if (this.#restated && this.#restated.stream !== stream) return this.#load(started);
    this.#restated = undefined;
    if (!at?.document.event.schedule || !isShown(events.name, at.document)) return false;
    const snapshot = render(at.document);
    this.#state = { ...at, stream, revision, snapshot, fingerprint: scoreFingerprint(snapshot), frame: undefined };
    return true;
  }

  /** In pages, since a stream may be long. */
  async *#recordsFrom(stream: string, revision: number): AsyncGenerator<LogRecord> {
    for await (const page of readStreamPages(this.#parts.log, stream, revision)) yield* page;
  }

  /**
   * Revision of the first record after this position; 0: the stream must be read from its start, since a document of this
   * position comes from a former stream. Searches from the end, since few records follow those in the stored document.
   */
  async #firstAfter(stream: string, position: bigint): Promise<number> {
    let first: number | undefined;
    for (;;) {
      const options = first === undefined ? {} : { fromRevision: first - 1 };
      const page = await this.#parts.log.readStream(stream, { direction: 'backwards', limit: PAGE, ...options });
      first ??= (page[0]?.revision ?? -1) + 1;
      for (const record of page) {
        if (record.position <= position) return first;
        if (isEventRestated(record)) return 0;
        first = record.revision;
      }
      if (first === 0) return 0;
      await setImmediate();
    }
  }

  /** Takes a record of this event's stream; they come in order. */
  receive(record: LogRecord): void {
    if (this.#failed || isReplayed(record)) return;
    if (isEventRestated(record)) this.#receiveRestated(record);
    if (!fold.handles(record.type)) return;
    if (!this.#state || this.#restating) {
      this.#seen = record.position;
      return;
    }
    try {
      this.#apply(this.#state, record);
    } catch (error) {
      // The document may be half changed: this event fails, the others go on.
      this.#fail(error);
    }
  }

  #fail(error?: unknown): void {
    this.#failed = true;
    if (error !== undefined) this.#parts.onError(error);
    for (const reader of this.readers) reader.failed();
  }

  /** An operator has mended the event: from now on another stream says what its score is. */
  #receiveRestated(record: EventRestatedRecord): void {
    // The state comes from this stream already.
    if (this.#state?.stream === record.stream && !this.#restating) return;
    this.#restated = record;
    if (!this.#state || this.#restating) return;
    this.#restating = this.#restate()
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#restating = undefined;
      });
  }

  async #restate(): Promise<void> {
    while (this.#restated) {
      const { stream, position } = this.#restated;
      this.#restated = undefined;
      await readReplacements(this.#parts.log);
      for (const reader of [...this.readers]) reader.restated?.();
      let at: DocumentAtPosition<EventDocument> | undefined;
      let revision = 0;
      for await (const record of this.#recordsFrom(stream, 0)) {
        if (record.position > position) break;
        revision = record.revision + 1;
        if (fold.handles(record.type)) at = fold.applyIfNewer(at, record);
      }
      // It was merged into another event.
      if (!at?.document.event.schedule) {
        this.#fail();
        return;
      }
      this.#show({ ...this.#state!, document: at.document, position, stream, revision });
      do {
        for await (const record of this.#recordsFrom(stream, this.#state!.revision)) {
          if (fold.handles(record.type)) this.#apply(this.#state!, record);
        }
      } while (this.#seen > this.#state!.position && !this.#restated);
    }
  }

  #apply(state: WatchedState, record: LogRecord): void {
    const after = fold.applyIfNewer(state, record);
    // The record was already in the document when it was read.
    if (after === state) return;
    this.#show({ ...state, ...after, revision: record.revision + 1 });
  }

  /** Sends the score, if it is another one than before. @param shown its snapshot is that of before */
  #show(shown: WatchedState): void {
    const snapshot = this.#parts.render(shown.document);
    const fingerprint = scoreFingerprint(snapshot);
    const next: WatchedState = { ...shown, snapshot, fingerprint, frame: undefined };
    this.#state = next;
    if (fingerprint === shown.fingerprint || this.readers.size === 0) return;
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
  join(reader: ScoreReader): WatchedFrame {
    const frame = frameOf(this.#present());
    this.readers.add(reader);
    return frame;
  }

  #present(): WatchedState {
    if (!this.#state || this.#failed) throw new Error(`event ${this.#key} cannot be followed`);
    return this.#state;
  }
}

function frameOf(state: WatchedState): WatchedFrame {
  const { document, snapshot, fingerprint, position } = state;
  const id = sseMessageId(position);
  state.frame ??= {
    eventId: snapshot.event_id,
    document,
    snapshot,
    id,
    bytes: sseMessage('score', snapshot, id),
    fingerprint,
    over: isOver(snapshot.status),
  };
  return state.frame;
}

/** The members whose change is sent; a new name or `updated_at` alone is not. */
export const scoreFingerprint = ({ status, period, clock, scores }: ScoreSnapshot): string =>
  JSON.stringify([
    status,
    period,
    clock,
    scores.map(({ score, game_score, is_winner, period_scores }) => [score, game_score, is_winner, period_scores]),
  ]);
