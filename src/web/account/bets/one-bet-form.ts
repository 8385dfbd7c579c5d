import { formatDate, formatTime } from '../../../domain/primitives/time.ts';
import { type Html, html } from '../../layout/html.ts';
import { submitButton, textField } from '../form-fields.ts';
import { fieldText } from '../form-values.ts';
import type { Refusal } from '../page-route.ts';

/** The fields of one bet. Their names are those that sheets have for them. */
const FIELDS = ['pick', 'date', 'odds', 'stake', 'book'] as const;
/** What the API calls them. */
const NAMES: Readonly<Record<string, (typeof FIELDS)[number]>> = {
  text: 'pick',
  placed_at: 'date',
  price: 'odds',
  stake: 'stake',
  book: 'book',
};

/** The form for one bet, as one says it. */
export function oneBetFields(typed: URLSearchParams, refusal: Refusal | undefined): Html {
  const field = (name: (typeof FIELDS)[number]) => ({
    name,
    value: fieldText(typed, name),
    error: refusal?.fields[name],
  });
  return html`<div class="field-grid">
${textField({ ...field('pick'), label: 'Bet', required: true, maxlength: 200, hint: 'Such as Arsenal -1' })}
${textField({ ...field('odds'), label: 'Price', required: true, inputmode: 'decimal', hint: '2.10 or +110' })}
${textField({ ...field('stake'), label: 'Stake', required: true, inputmode: 'decimal' })}
${textField({ ...field('book'), label: 'Book', required: true, maxlength: 60 })}
${textField({ ...field('date'), label: 'Day of the game', type: 'date', hint: 'UTC; empty: the next one' })}
</div>
${submitButton('Keep the bet')}`;
}

export const isOneBet = (form: URLSearchParams): boolean => form.has('pick');

/**
 * One bet as a sheet. Of a game of an earlier day it counts as placed when that day began, otherwise now.
 * @param now milliseconds
 */
export function sheetOfOneBet(form: URLSearchParams, now: number): string {
  const day = fieldText(form, 'date').trim();
  const isPast = day !== '' && day < formatDate(now);
  const placedAt = isPast ? day : formatTime(now);
  const pick = [fieldText(form, 'pick').trim(), day].filter((part) => part !== '').join(' ');
  const cells = [pick, placedAt, fieldText(form, 'odds'), fieldText(form, 'stake'), fieldText(form, 'book')];
  return `${FIELDS.join(',')}\n${cells.map((cell) => `"${cell.trim().replaceAll('"', '""')}"`).join(',')}`;
}

/** Where the form shows an error of the API. @param column as the API calls it */
export const fieldOfColumn = (column: unknown): string => (typeof column === 'string' && NAMES[column]) || 'pick';
