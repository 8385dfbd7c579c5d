import type { ReadItem } from './connector.ts';
import type { Json } from './json-file.ts';
import type { NoteBook } from './note-book.ts';

/** Notes of a thing that was left out because it could not be read: they count as rejected. */
const UNREADABLE = ['incomplete_event', 'incomplete_game', 'incomplete_injury', 'unknown_sport', 'unknown_league'];

/**
 * What one thing of an answer says: all of its messages, or none where it could not be read, so that a broken one
 * costs itself alone.
 * @param notes where the translation notes what it leaves out
 */
export function readApart(translate: () => Iterable<Json>, notes: NoteBook): ReadItem[] {
  const items: ReadItem[] = [];
  try {
    for (const message of translate()) items.push({ message });
  } catch (error) {
    Array.from(notes.drain());
    return [
      { rejected: { code: 'unreadable_event', message: `An event could not be read: ${(error as Error).message}` } },
    ];
  }
  return [...items, ...notedItems(notes)];
}

/** What has been noted since it was last asked for. */
export function* notedItems(notes: NoteBook): Generator<ReadItem> {
  for (const item of notes.drain()) {
    if (!('note' in item)) continue;
    yield UNREADABLE.includes(item.note.code) ? { rejected: item.note } : item;
  }
}
