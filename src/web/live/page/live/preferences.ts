import { computed, effect, signal } from '@preact/signals';
import type { OddsFormat } from '../state/odds-format.ts';

/** What the viewer chose, remembered by the browser where it allows that. */
export type Look = 'light' | 'dark';

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
    // Without storage the choice holds until the page is left.
  }
}

const storedLook = read('look');
const chosenLook = signal<Look | null>(storedLook === 'light' || storedLook === 'dark' ? storedLook : null);
const systemDark = matchMedia('(prefers-color-scheme: dark)');
const systemLook = signal<Look>(systemDark.matches ? 'dark' : 'light');
systemDark.addEventListener('change', ({ matches }) => {
  systemLook.value = matches ? 'dark' : 'light';
});

/** The look that shows: the chosen one, else the system's. */
export const look = computed<Look>(() => chosenLook.value ?? systemLook.value);

export function chooseLook(value: Look): void {
  chosenLook.value = value;
  write('look', value);
}

export const oddsFormat = signal<OddsFormat>(read('odds') === 'decimal' ? 'decimal' : 'american');

export function chooseOddsFormat(value: OddsFormat): void {
  oddsFormat.value = value;
  write('odds', value);
}

/** The styles go by an attribute of the page, so that a choice wins over the system's. */
export const applyLook = (): void => {
  effect(() => {
    document.documentElement.dataset.look = look.value;
  });
};
