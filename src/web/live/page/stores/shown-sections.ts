import { computed, signal } from '@preact/signals';
import { type BoardFilter, filterFor, filterOf, filterQuery } from '../view-model/board-filter.ts';
import { sectionsOf } from '../view-model/sections.ts';
import { boardState } from './board-store.ts';
import { favourites } from './preferences.ts';

/** What was chosen, of which a day may lack a part. */
const wanted = signal<BoardFilter>(filterOf(location.search));
addEventListener('popstate', () => {
  wanted.value = { ...filterOf(location.search), text: wanted.value.text };
});

/** The filter of the day on display. */
export const boardFilter = computed(() => filterFor(boardState.value, wanted.value));

/** Chooses what to show; the address tells it too, without a page more to go back through. */
export function chooseFilter(choice: Partial<BoardFilter>): void {
  const next = { ...boardFilter.peek(), ...choice };
  wanted.value = next;
  const query = filterQuery(next);
  if (query !== location.search)
    history.replaceState(history.state, '', `${location.pathname}${query}${location.hash}`);
}

/** The parts of the board. */
export const shownSections = computed(() => sectionsOf(boardState.value, boardFilter.value, favourites.value));
