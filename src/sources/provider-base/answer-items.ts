import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import type { ImportNotes } from '../importing/import-notes.ts';
import type { JsonObject } from '../parsing/json-values.ts';
import { type AnswerItem, UnknownAnswerShape } from './provider.ts';

/** More games, players or teams than any answer has. Lists of so many can be sorted out in one step. */
const MAX_ITEMS = 20_000;
/** More than any game has with all its boxes and prices: so much is translated in some milliseconds. */
const MAX_ITEM_VALUES = 200_000;

/** Notes of an item that was left out because it could not be read: they count as rejected. */
const UNREADABLE = ['incomplete_event', 'incomplete_game', 'incomplete_injury', 'unknown_sport', 'unknown_league'];

/**
 * The messages of one item of an answer: all of them, or none if it could not be read. A broken item does not affect
 * the others.
 * @param item all that the messages are made of
 * @param notes receives what the translation leaves out
 */
export async function readItemAlone(
  item: JsonObject,
  translate: () => Iterable<JsonObject>,
  notes: ImportNotes,
): Promise<readonly AnswerItem[]> {
  if (countValues(item, MAX_ITEM_VALUES) > MAX_ITEM_VALUES)
    return [unreadable(`it holds more than ${MAX_ITEM_VALUES} values`)];
  const items: AnswerItem[] = [];
  try {
    for (const message of translate()) {
      items.push({ message });
      await yieldToEventLoop();
    }
  } catch (error) {
    Array.from(notes.drain());
    return [unreadable((error as Error).message)];
  }
  return [...items, ...itemsOfNotes(notes)];
}

const unreadable = (why: string): AnswerItem => ({
  rejected: { code: 'unreadable_event', message: `An event could not be read: ${why}` },
});

/** How many values a JSON value has, itself and all in it; the count stops beyond `most`. */
function countValues(value: unknown, most: number): number {
  let count = 1;
  if (typeof value !== 'object' || value === null) return count;
  for (const member of Array.isArray(value) ? value : Object.values(value)) {
    if (count > most) break;
    count += countValues(member, most - count);
  }
  return count;
}

/** All notes since the last call. */
export function* itemsOfNotes(notes: ImportNotes): Generator<AnswerItem> {
  for (const item of notes.drain()) {
    if (!('note' in item)) continue;
    yield UNREADABLE.includes(item.note.code) ? { rejected: item.note } : item;
  }
}

/**
 * The items of an answer, in a list.
 * @param path of the items in the answer: `events[]`
 * @throws UnknownAnswerShape if there are more than any answer has
 */
export function listItems<T>(items: Iterable<T>, path: string): T[] {
  const list: T[] = [];
  for (const item of items) {
    if (list.length === MAX_ITEMS) throw new UnknownAnswerShape(path, `are more than ${MAX_ITEMS}`);
    list.push(item);
  }
  return list;
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
