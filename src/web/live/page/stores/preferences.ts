import { computed, effect, signal } from '@preact/signals';
import type { OddsFormat } from '../view-model/odds-format.ts';

/** The viewer's choices, stored in the browser if it allows that. */
type Theme = 'light' | 'dark';

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

const storedTheme = read('look');
const chosenTheme = signal<Theme | null>(storedTheme === 'light' || storedTheme === 'dark' ? storedTheme : null);
const systemDark = matchMedia('(prefers-color-scheme: dark)');
const systemTheme = signal<Theme>(systemDark.matches ? 'dark' : 'light');
systemDark.addEventListener('change', ({ matches }) => {
  systemTheme.value = matches ? 'dark' : 'light';
});

/** The present theme: the chosen one, otherwise the system's. */
export const theme = computed<Theme>(() => chosenTheme.value ?? systemTheme.value);

export function chooseTheme(value: Theme): void {
  chosenTheme.value = value;
  write('look', value);
}

export const oddsFormat = signal<OddsFormat>(read('odds') === 'decimal' ? 'decimal' : 'american');

export function chooseOddsFormat(value: OddsFormat): void {
  oddsFormat.value = value;
  write('odds', value);
}

/** The styles read an attribute of the page, so that a choice overrides the system's theme. */
export const applyTheme = (): void => {
  effect(() => {
    document.documentElement.dataset.look = theme.value;
  });
};
