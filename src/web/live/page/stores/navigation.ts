import { signal } from '@preact/signals';
import { boardHash, eventHash, type Route, routeOf } from '../view-model/route.ts';

/** The route of the present address. */
export const route = signal<Route>(routeOf(location.hash));
/** The scroll position of the board when it was left. */
let scroll = 0;
history.scrollRestoration = 'manual';
addEventListener('hashchange', () => {
  const next = routeOf(location.hash);
  // The board is still on screen; the next view is drawn after this.
  if (route.value.view === 'board') scroll = next.view === 'event' ? scrollY : 0;
  route.value = next;
});

export const boardScroll = (): number => scroll;

/** The board to return to from an event. */
let lastBoard = '#/';
route.subscribe((value) => {
  if (value.view === 'board') lastBoard = boardHash(value.date);
});

export const boardLink = (): string => lastBoard;

/** Opens an event. From another event it replaces the history entry, so that Back leads to the board. */
export function goToEvent(id: number): void {
  if (route.value.view === 'event') location.replace(eventHash(id));
  else location.hash = eventHash(id);
}

export function goToBoard(): void {
  location.hash = lastBoard;
}
