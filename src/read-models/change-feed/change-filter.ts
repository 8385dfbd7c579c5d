import type { StreamReplacements } from '../../domain/identities/stream-replacements.ts';
import type { WebhookEventType } from '../../domain/webhook-types.ts';
import type { EncodedChange } from './encoded-change.ts';

/** The changes that a reader wants. An absent member allows all. */
export interface ChangeFilter {
  readonly types?: ReadonlySet<WebhookEventType> | undefined;
  readonly sports?: ReadonlySet<string> | undefined;
  readonly leagues?: ReadonlySet<string> | undefined;
  /** An event that was merged into another is followed there. */
  readonly eventIds?: ReadonlySet<number> | undefined;
  /** Says what was merged; absent: nothing. */
  readonly merged?: MergedInto | undefined;
  /** Excludes line moves of other bookmakers, and nothing else. */
  readonly bookmakers?: ReadonlySet<string> | undefined;
}

/** Says what was merged into one. */
export type MergedInto = Pick<StreamReplacements, 'mergedInto'>;

/** The events of which a reader may follow one to be told of a change: its event, and those that were merged into it. */
export const followedFor = (eventId: number, merged: MergedInto | undefined): readonly number[] => [
  eventId,
  ...(merged?.mergedInto('event', eventId) ?? []),
];

/** Whether changes of this event are wanted. */
export const wantsEvent = ({ eventIds, merged }: ChangeFilter, eventId: number): boolean =>
  eventIds === undefined || followedFor(eventId, merged).some((id) => eventIds.has(id));

export function matchesFilter(filter: ChangeFilter, change: EncodedChange): boolean {
  const { types, sports, leagues, eventIds, bookmakers } = filter;
  const isOfEvent = (id: number | null | undefined) => id !== null && id !== undefined && wantsEvent(filter, id);
  return (
    (types === undefined || types.has(change.type)) &&
    (eventIds === undefined || isOfEvent(change.eventId) || isOfEvent(change.fromEventId)) &&
    (sports === undefined || sports.has(change.sport)) &&
    (leagues === undefined || (change.league !== null && leagues.has(change.league))) &&
    (bookmakers === undefined || change.bookmaker === undefined || bookmakers.has(change.bookmaker))
  );
}

/** The same text for filters that allow the same changes. */
export const filterKey = ({ types, sports, leagues, eventIds, bookmakers }: ChangeFilter): string =>
  JSON.stringify([types, sports, leagues, eventIds, bookmakers].map((some) => (some ? [...some].sort() : null)));
