import type { ImportNotes } from '../importing/import-notes.ts';
import type { JsonObject } from '../parsing/json-values.ts';
import type { AnswerItem } from './provider.ts';

/** Notes of an item that was left out because it could not be read: they count as rejected. */
const UNREADABLE = ['incomplete_event', 'incomplete_game', 'incomplete_injury', 'unknown_sport', 'unknown_league'];

/**
 * The messages of one item of an answer: all of them, or none if it could not be read. A broken item does not affect
 * the others.
 * @param notes receives what the translation leaves out
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

/** All notes since the last call. */
export function* itemsOfNotes(notes: ImportNotes): Generator<AnswerItem> {
  for (const item of notes.drain()) {
    if (!('note' in item)) continue;
    yield UNREADABLE.includes(item.note.code) ? { rejected: item.note } : item;
  }
}

/** The items of a list without repetitions: of two with the same id, the last one replaces the first in its position.
 *  Items without an id stay. */
export function keepLastOfEach<T>(items: readonly T[], idOf: (item: T) => string | undefined): T[] {
  const last = new Map(items.map((item, index) => [idOf(item), index]));
  return items.filter((item, index) => {
    const id = idOf(item);
    return id === undefined || last.get(id) === index;
  });
}
