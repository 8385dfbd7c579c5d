import { signal } from '@preact/signals';
import { readFavourites, type Star, toggleStar } from '../view-model/favourites.ts';
import type { OddsFormat } from '../view-model/odds-format.ts';

/** The viewer's choices, stored in the browser if it allows that. The theme is chosen in the header of every page. */

const read = (name: string): string | null => {
  try {
    return localStorage.getItem(`ledgerline.${name}`);
  } catch {
    return null;
  }
};

function write(name: string, value: string): void {
  try {
    localStorage.setItem(`ledgerline.${name}`, value);
  } catch {
    // Without storage the choice lasts until the page is left.
  }
}

export const oddsFormat = signal<OddsFormat>(read('odds') === 'decimal' ? 'decimal' : 'american');

export function chooseOddsFormat(value: OddsFormat): void {
  oddsFormat.value = value;
  write('odds', value);
}

export const favourites = signal(readFavourites(read('favourites')));
// What is starred in another tab.
addEventListener('storage', ({ key }) => {
  if (key === 'ledgerline.favourites') favourites.value = readFavourites(read('favourites'));
});

export function toggleFavourite(star: Pick<Star, 'kind' | 'key'>): void {
  favourites.value = toggleStar(favourites.value, star);
  write('favourites', JSON.stringify(favourites.value));
}
