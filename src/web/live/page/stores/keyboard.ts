import { filterFor, idsInOrder } from '../view-model/sections.ts';
import { boardFilter, boardState } from './board-store.ts';
import { goToBoard, goToEvent, route } from './navigation.ts';

/** The id of a row's link. */
export const eventLinkId = (id: number): string => `event-${id}`;

/** Keyboard shortcuts: j and k for the next and the previous event, Escape for the board. */
export function listenToKeys(): void {
  addEventListener('keydown', (key) => {
    if (key.defaultPrevented || key.ctrlKey || key.metaKey || key.altKey) return;
    if (key.key === 'Escape' && route.value.view === 'event') goToBoard();
    else if ((key.key === 'j' || key.key === 'k') && !isTyping(key.target)) move(key.key === 'j' ? 1 : -1);
  });
}

/** Letters also select options of a select. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.type !== 'range');

function move(by: 1 | -1): void {
  const ids = idsInOrder(boardState.value, filterFor(boardState.value, boardFilter.value));
  const { value } = route;
  if (value.view === 'event') {
    const next = ids[ids.indexOf(value.id) + by];
    if (ids.includes(value.id) && next !== undefined) goToEvent(next);
    return;
  }
  const focused = ids.findIndex((id) => document.activeElement?.id === eventLinkId(id));
  const next = focused === -1 ? ids[by === 1 ? 0 : ids.length - 1] : ids[focused + by];
  if (next !== undefined) document.getElementById(eventLinkId(next))?.focus();
}
