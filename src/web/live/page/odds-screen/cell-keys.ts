const LINKS = '.screen-book a';

/**
 * Prices are one stop of the Tab key; the arrow keys lead from one to the next. Without scripts each is a stop of its
 * own.
 */
export function moveByArrows(screen: HTMLElement): void {
  leaveOneStop(screen);
  screen.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement) || !target.matches(LINKS)) return;
    for (const other of screen.querySelectorAll<HTMLElement>(`${LINKS}[tabindex="0"]`)) other.tabIndex = -1;
    target.tabIndex = 0;
  });
  screen.addEventListener('keydown', (key) => {
    const from = key.target;
    if (!(from instanceof HTMLElement) || !from.matches(LINKS)) return;
    const next = nextOf(from, key.key);
    if (next === undefined) return;
    key.preventDefault();
    next?.focus();
  });
}

/** Called again whenever cells are new. */
export function leaveOneStop(screen: HTMLElement): void {
  const stop = screen.querySelector<HTMLElement>(`${LINKS}[tabindex="0"]`) ?? screen.querySelector<HTMLElement>(LINKS);
  for (const link of screen.querySelectorAll<HTMLElement>(LINKS)) link.tabIndex = link === stop ? 0 : -1;
}

/** Undefined for a key that leads nowhere; null at an edge. */
function nextOf(from: HTMLElement, key: string): HTMLElement | null | undefined {
  const cell = from.closest('td')!;
  const row = cell.closest('tr')!;
  const inRow = [...row.querySelectorAll<HTMLElement>(LINKS)];
  const at = inRow.indexOf(from);
  switch (key) {
    case 'ArrowRight':
      return inRow[at + 1] ?? null;
    case 'ArrowLeft':
      return inRow[at - 1] ?? null;
    case 'Home':
      return inRow[0] ?? null;
    case 'End':
      return inRow.at(-1) ?? null;
    case 'ArrowDown':
      return inColumn(row, cell.dataset['book']!, 'nextElementSibling');
    case 'ArrowUp':
      return inColumn(row, cell.dataset['book']!, 'previousElementSibling');
    default:
      return undefined;
  }
}

/** The next row in which the bookmaker has a price. */
function inColumn(
  row: Element,
  book: string,
  way: 'nextElementSibling' | 'previousElementSibling',
): HTMLElement | null {
  for (let other = row[way]; other !== null; other = other[way]) {
    const found = other.querySelector<HTMLElement>(`[data-book="${CSS.escape(book)}"] a`);
    if (found) return found;
  }
  return null;
}
