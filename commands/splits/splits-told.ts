import type { EventIdentity } from '../../src/domain/domain-events.ts';
import type { HistoryPlace } from '../../src/domain/history.ts';
import { applySplits, newSplits, type SplitsContent } from '../../src/domain/splits.ts';
import { splitsStream } from '../../src/domain/streams/splits-stream.ts';
import { type EventOfKind, happened } from '../../src/domain/streams/stream-kind.ts';
import { formatTime } from '../../src/domain/time.ts';

export type SplitsEvent = EventOfKind<typeof splitsStream>;

export interface SplitsFact {
  readonly identity: EventIdentity;
  readonly at: string;
  readonly source: string;
  readonly content: SplitsContent;
}

/** Splits that came in time; the caller checks that they did (`splitsCloseAt`). */
export function splitsTold(
  { identity, at, source, content }: SplitsFact,
  place: HistoryPlace<SplitsContent>,
): SplitsEvent[] {
  switch (place.kind) {
    case 'known':
      return [];
    case 'repeated': {
      const data = { at, source, of: place.of, ...identity };
      return [happened(splitsStream, identity.eventId, 'SplitsReconfirmed', data)];
    }
    case 'newest':
      return [happened(splitsStream, identity.eventId, 'SplitsChanged', { at, source, content, ...identity })];
    case 'late': {
      const late = place.entries.reduce(
        (splits, entry) =>
          applySplits(splits, { at: formatTime(entry.at), source: entry.source, content: entry.content }),
        newSplits(),
      );
      const data = { at, source, content, late, ...identity };
      return [happened(splitsStream, identity.eventId, 'SplitsChanged', data)];
    }
  }
}
