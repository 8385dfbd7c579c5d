import { signal } from '@preact/signals';
import { goToBoard, goToEvent, route } from './navigation.ts';
import { shownSections } from './shown-sections.ts';

/** The id of a row's link. */
export const eventLinkId = (id: number): string => `event-${id}`;

export const SEARCH_ID = 'board-search';

/** Whether the keys are listed. */
export const areKeysShown = signal(false);

/** Keyboard shortcuts: those that `keys-dialog.tsx` lists. */
export function listenToKeys(): void {
  addEventListener('keydown', (key) => {
    if (key.defaultPrevented || key.ctrlKey || key.metaKey || key.altKey) return;
    if (key.key === 'Escape') return leaveOrClose();
    if (isTyping(key.target) || areKeysShown.value) return;
    if (key.key === 'j' || key.key === 'k') move(key.key === 'j' ? 1 : -1);
    else if (key.key === '?') areKeysShown.value = true;
    else if (key.key === '/') {
      const search = document.getElementById(SEARCH_ID);
      if (!search) return;
      key.preventDefault();
      search.focus();
    }
  });
  document.addEventListener('click', ({ target }) => {
    for (const menu of openMenus()) if (!(target instanceof Node && menu.contains(target))) menu.open = false;
  });
}

const openMenus = () => document.querySelectorAll<HTMLDetailsElement>('.star[open]');

/** Closes a menu, or leaves the event. An open dialog closes by itself. */
function leaveOrClose(): void {
  const [menu] = openMenus();
  if (menu) {
    menu.open = false;
    menu.querySelector('summary')?.focus();
  } else if (route.value.view === 'event' && !areKeysShown.value) goToBoard();
}

/** Letters also select options of a select. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.type !== 'range');

function move(by: 1 | -1): void {
  const ids = shownSections.value.flatMap(({ events }) => events.map(({ event }) => event.id));
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
