import { signal } from '@preact/signals';
import { boardHash, eventHash, type Route, routeOf } from '../view-model/route.ts';

/** What the address names now. */
export const route = signal<Route>(routeOf(location.hash));
/** How far down the board was when it was left. */
let scroll = 0;
history.scrollRestoration = 'manual';
addEventListener('hashchange', () => {
  const next = routeOf(location.hash);
  // The board still stands: what takes its place is drawn after this.
  if (route.value.view === 'board') scroll = next.view === 'event' ? scrollY : 0;
  route.value = next;
});

export const boardScroll = (): number => scroll;

/** Where the board goes back to when an event is closed. */
let lastBoard = '#/';
route.subscribe((value) => {
  if (value.view === 'board') lastBoard = boardHash(value.date);
});

export const boardLink = (): string => lastBoard;

/** Opens an event; from another one it takes its place, so that going back leads to the board. */
export function goToEvent(id: number): void {
  if (route.value.view === 'event') location.replace(eventHash(id));
  else location.hash = eventHash(id);
}

export function goToBoard(): void {
  location.hash = lastBoard;
}
