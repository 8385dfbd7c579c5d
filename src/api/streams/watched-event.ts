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

/** A score as it goes out: the same bytes for every reader. */
export interface ScoreFrame {
  readonly bytes: Buffer;
  /** What counts as a change of the stream: two frames of one event with the same mark show the same. */
  readonly fingerprint: string;
  /** The event is final, cancelled or a walkover: nothing follows. */
  readonly over: boolean;
}

/** Who gets the changes of one event. */
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
  /** Records of the stream before this one are reflected, or change nothing. */
  readonly revision: number;
  readonly snapshot: ScoreSnapshot;
  readonly fingerprint: string;
  /** Made when it is first needed: most reconfirmations are never sent. */
  frame: ScoreFrame | undefined;
}

const fold = createFold(events);
/** Records that are read in one go: between them other requests are served. */
const PAGE = 256;

/** One sports event that is watched: its folded document, and who reads it. */
export class WatchedEvent {
  readonly stream: string;
  readonly readers = new Set<ScoreReader>();
  /** Open streams and openings in progress. */
  holderCount = 0;
  readonly #key: string;
  readonly #parts: WatchedEventParts;
  #state: WatchedState | undefined;
  #failed = false;
  /** Newest record of this event that the subscription has brought before the document was there. */
  #seen = -1n;
  #loading: Promise<boolean> | undefined;

  constructor(eventId: number, parts: WatchedEventParts) {
    this.#key = String(eventId);
    this.stream = streams.event(eventId);
    this.#parts = parts;
  }

  /** It was found, and takes what comes. */
  get isLoaded(): boolean {
    return this.#state !== undefined;
  }

  get sport(): string {
    return this.#present().document.sport;
  }

  /**
   * Resolves when the event is at hand as it stands now, or newer. The caller has seen to it that the subscription
   * will bring every record that is not in the log yet.
   * @param started resolves when the subscription's first position is taken
   * @returns false where there was no such event when the first of those who wait asked
   */
  async open(started: Promise<unknown>): Promise<boolean> {
    if (!this.#loading) {
      this.#loading = this.#load(started);
      return this.#loading;
    }
    if (!(await this.#loading)) return false;
    // It was read for another one, and the subscription may lag: the client may have polled a newer score already.
    // The stream has no gaps, so these are the records that come next; the subscription's own ones then pass by.
    for await (const record of this.#recordsFrom(this.#state!.revision)) this.receive(record);
    return true;
  }

  async #load(started: Promise<unknown>): Promise<boolean> {
    // Not before: a record that is committed after the stream is read and before the subscription's first position
    // would be in neither.
    await started;
    const { store, render } = this.#parts;
    const stored = await store.get<EventDocument>(events.name, this.#key);
    // A store that keeps documents in memory would lend out what is still its own.
    let at = stored && cloneDocument(stored);
    // The stored document is older than the log when the projector lags, and newer than the subscription when it does
    // not: the positions tell which records it lacks.
    let revision = at ? await this.#firstAfter(at.position) : 0;
    do {
      for await (const record of this.#recordsFrom(revision)) {
        revision = record.revision + 1;
        if (fold.handles(record.type)) at = fold.applyIfNewer(at, record);
      }
      // What the subscription has brought meanwhile was let go by `take`: it stands in the log, and is read from there.
      // After the last look nothing is awaited, so that nothing can come between it and the state being there.
    } while (this.#seen > (at?.position ?? -1n));
    if (!at?.document.event.schedule) return false;
    const snapshot = render(at.document);
    this.#state = { ...at, revision, snapshot, fingerprint: fingerprintOf(snapshot), frame: undefined };
    return true;
  }

  /** Page by page: a stream may be long. */
  async *#recordsFrom(revision: number): AsyncGenerator<LogRecord> {
    for (let fromRevision = revision; ; ) {
      const page = await this.#parts.log.readStream(this.stream, { fromRevision, limit: PAGE });
      yield* page;
      if (page.length < PAGE) return;
      fromRevision += page.length;
      await setImmediate();
    }
  }

  /** Revision of the first record after this position. It is looked for from the end: few records come after those that
   *  the stored document reflects. */
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

  /** A record of this event's stream. They come in order. */
  receive(record: LogRecord): void {
    if (this.#failed || !fold.handles(record.type)) return;
    if (!this.#state) {
      this.#seen = record.position;
      return;
    }
    try {
      this.#apply(this.#state, record);
    } catch (error) {
      // The document may be half changed: this event ends here, and the others go on.
      this.#failed = true;
      this.#parts.onError(error);
      for (const reader of this.readers) reader.failed();
    }
  }

  #apply(state: WatchedState, record: LogRecord): void {
    const after = fold.applyIfNewer(state, record);
    // It is in the document since this was read.
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
        // One reader's trouble is not the others'.
        this.#parts.onError(error);
      }
    }
  }

  /**
   * Every change from here on goes to `reader`.
   * @returns how the event stands
   */
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

/** The members whose change is a change of the stream: names and `updated_at` are none. */
const fingerprintOf = ({ status, period, clock, scores }: ScoreSnapshot): string =>
  JSON.stringify([
    status,
    period,
    clock,
    scores.map(({ score, game_score, is_winner, period_scores }) => [score, game_score, is_winner, period_scores]),
  ]);
