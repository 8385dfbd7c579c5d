import { LRUCache } from 'lru-cache';
import type { CacheSize } from '../../../domain/primitives/size-in-memory.ts';
import { streams } from '../../../domain/streams/domain-events.ts';
import type { EventLog } from '../../../event-log/port/event-log.ts';
import { createSharedRuns } from '../../../platform/async/shared-runs.ts';

/** A question about an event whose answer is made from its history. */
interface Question {
  readonly name: string;
  readonly eventId: number;
  /** Throws if whoever asks may have no more histories folded. Called only where the history was not folded before. */
  readonly admit: () => void;
  /** Whether the answer stays the same as long as nothing is told of the event. */
  readonly isTimeless: boolean;
  readonly make: () => Promise<string>;
}

/** Answers made from histories of events, by what was told of the event when they were made. */
export interface KeptAnswers {
  /** The same question is answered once at a time, whoever asks it. Rejects with errors of `admit` and `make`. */
  answer(question: Question): Promise<string>;
  readonly size: CacheSize;
}

interface Kept {
  /** What was told of the event. */
  readonly position: string;
  /** Absent: the answer depends on the time. What it is folded from is kept elsewhere. */
  readonly text?: string | undefined;
}

const MAX_BYTES = 16 * 1024 * 1024;
const BYTES_OF_ENTRY = 500;

export function createKeptAnswers(
  log: Pick<EventLog, 'readStream' | 'replacements'>,
  maxBytes: number = MAX_BYTES,
): KeptAnswers {
  const kept = new LRUCache<string, Kept>({
    maxSize: maxBytes,
    sizeCalculation: ({ text = '' }) => BYTES_OF_ENTRY + 2 * text.length,
  });
  const shared = createSharedRuns<string, string>();

  /** The ends of the event's own streams: any record about it moves one. */
  async function positionOf(id: number): Promise<string> {
    const names = [streams.event(id), streams.odds(id), streams.splits(id), streams.box(id), streams.lineup(id)].map(
      (name) => log.replacements.current(name),
    );
    const ends = names.map(async (name) => {
      const [last] = await log.readStream(name, { direction: 'backwards', limit: 1 });
      return `${name} ${last?.revision}`;
    });
    return (await Promise.all(ends)).join(' ');
  }

  return {
    async answer({ name, eventId, admit, isTimeless, make }) {
      const known = kept.get(name);
      const isKnown = known !== undefined && known.position === (await positionOf(eventId));
      if (isKnown && known.text !== undefined) return known.text;
      if (!isKnown) admit();
      return shared.run(name, async () => {
        // Before it is made: what is told meanwhile may be missing in it.
        const position = await positionOf(eventId);
        const again = kept.get(name);
        if (again?.text !== undefined && again.position === position) return again.text;
        const text = await make();
        kept.set(name, { position, text: isTimeless ? text : undefined });
        return text;
      });
    },
    get size() {
      return { bytes: kept.calculatedSize, limit: maxBytes };
    },
  };
}
