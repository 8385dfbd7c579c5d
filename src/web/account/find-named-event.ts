import { type EventDocument, events } from '../../../projections/sports-events/events.ts';
import { renderEventDetail } from '../../read-models/rendering/render-event.ts';
import type { DocumentReader } from '../../read-models/store/document-reader.ts';
import { fieldText, parseWholeNumber } from './form-values.ts';
import { notFound } from './page-errors.ts';

/** A game, as forms about it name it. */
export interface NamedEvent {
  readonly id: number;
  readonly name: string;
  readonly startsAt: string;
}

/** Undefined: there is none of this id. */
export type FindNamedEvent = (id: number) => Promise<NamedEvent | undefined>;

interface FinderParts {
  readonly store: Pick<DocumentReader, 'get'>;
  /** Milliseconds. */
  readonly now: () => number;
}

/** Names of games cost nothing: the pages of events show them to everybody. */
export const createNamedEventFinder =
  ({ store, now }: FinderParts): FindNamedEvent =>
  async (id) => {
    const found = await store.get<EventDocument>(events.name, String(id));
    if (!found) return undefined;
    const { name, starts_at: startsAt } = renderEventDetail(found.document, now());
    return { id, name, startsAt };
  };

/**
 * The game that a form or an address names with `event`; undefined if it names none.
 * @throws ApiError not_found
 */
export async function readNamedEvent(given: URLSearchParams, find: FindNamedEvent): Promise<NamedEvent | undefined> {
  const text = fieldText(given, 'event');
  if (text === '') return undefined;
  const id = parseWholeNumber(text);
  const event = id === undefined || id < 1 ? undefined : await find(id);
  if (!event) throw notFound();
  return event;
}
