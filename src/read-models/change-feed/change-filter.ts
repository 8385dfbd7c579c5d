import type { WebhookEventType } from '../../domain/webhook-types.ts';
import type { EncodedChange } from './encoded-change.ts';

/** The changes that a reader wants. An absent member allows all. */
export interface ChangeFilter {
  readonly types?: ReadonlySet<WebhookEventType> | undefined;
  readonly sports?: ReadonlySet<string> | undefined;
  readonly leagues?: ReadonlySet<string> | undefined;
  readonly eventIds?: ReadonlySet<number> | undefined;
  /** Excludes line moves of other bookmakers, and nothing else. */
  readonly bookmakers?: ReadonlySet<string> | undefined;
}

export function matchesFilter(filter: ChangeFilter, change: EncodedChange): boolean {
  const { types, sports, leagues, eventIds, bookmakers } = filter;
  return (
    (types === undefined || types.has(change.type)) &&
    (eventIds === undefined || (change.eventId !== null && eventIds.has(change.eventId))) &&
    (sports === undefined || sports.has(change.sport)) &&
    (leagues === undefined || (change.league !== null && leagues.has(change.league))) &&
    (bookmakers === undefined || change.bookmaker === undefined || bookmakers.has(change.bookmaker))
  );
}

/** The same text for filters that allow the same changes. */
export const filterKey = ({ types, sports, leagues, eventIds, bookmakers }: ChangeFilter): string =>
  JSON.stringify([types, sports, leagues, eventIds, bookmakers].map((some) => (some ? [...some].sort() : null)));
