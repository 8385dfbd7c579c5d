import type { ImportNotes } from '../importing/import-notes.ts';
import type { JsonObject } from '../parsing/json-values.ts';
import type { AnswerItem } from './provider.ts';

/** Notes of a thing that was left out because it could not be read: they count as rejected. */
const UNREADABLE = ['incomplete_event', 'incomplete_game', 'incomplete_injury', 'unknown_sport', 'unknown_league'];

/**
 * What one thing of an answer says: all of its messages, or none where it could not be read, so that a broken one
 * costs itself alone.
 * @param notes where the translation notes what it leaves out
 */
export function readItemAlone(translate: () => Iterable<JsonObject>, notes: ImportNotes): AnswerItem[] {
  const items: AnswerItem[] = [];
  try {
    for (const message of translate()) items.push({ message });
  } catch (error) {
    Array.from(notes.drain());
    return [
      { rejected: { code: 'unreadable_event', message: `An event could not be read: ${(error as Error).message}` } },
    ];
  }
  return [...items, ...itemsOfNotes(notes)];
}

/** What has been noted since it was last asked for. */
export function* itemsOfNotes(notes: ImportNotes): Generator<AnswerItem> {
  for (const item of notes.drain()) {
    if (!('note' in item)) continue;
    yield UNREADABLE.includes(item.note.code) ? { rejected: item.note } : item;
  }
}

/**
 * What an answer lists, without what it repeats: of two with the same id the last one stands, in its place. What has
 * no id stays.
 */
export function keepLastOfEach<T>(items: readonly T[], idOf: (item: T) => string | undefined): T[] {
  const last = new Map(items.map((item, index) => [idOf(item), index]));
  return items.filter((item, index) => {
    const id = idOf(item);
    return id === undefined || last.get(id) === index;
  });
}
