import { readBetRow } from '../../../api/operations/bets/read-bet-csv.ts';
import { ownValue } from '../../../domain/primitives/own-properties.ts';
import { formatDate, formatTime } from '../../../domain/primitives/time.ts';
import { type Html, html } from '../../layout/html.ts';
import { submitButton, textField } from '../form-fields.ts';
import { fieldText } from '../form-values.ts';
import type { Refusal } from '../page-route.ts';

type Field = 'pick' | 'date' | 'odds' | 'stake' | 'book';
/** The fields, by what the API calls them. */
const NAMES: Readonly<Record<string, Field>> = {
  text: 'pick',
  placed_at: 'date',
  price: 'odds',
  stake: 'stake',
  book: 'book',
};

/** The form for one bet, as one says it. */
export function oneBetFields(typed: URLSearchParams, refusal: Refusal | undefined): Html {
  const field = (name: Field) => ({
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
 * The bet of the form, as the API takes it. Of a game of an earlier day it counts as placed when that day began, otherwise
 * now.
 * @param now milliseconds
 */
export function readOneBet(form: URLSearchParams, now: number): Record<string, unknown> {
  const day = fieldText(form, 'date').trim();
  const isPast = day !== '' && day < formatDate(now);
  const pick = [fieldText(form, 'pick').trim(), day].filter((part) => part !== '').join(' ');
  const cells: Readonly<Record<string, string>> = {
    text: pick,
    placed_at: isPast ? day : formatTime(now),
    price: fieldText(form, 'odds').trim(),
    stake: fieldText(form, 'stake').trim(),
    book: fieldText(form, 'book').trim(),
  };
  return readBetRow((column) => ownValue(cells, column) ?? '');
}

/** Where the form shows an error of the API. @param column as the API calls it */
export const fieldOfColumn = (column: unknown): string => (typeof column === 'string' && NAMES[column]) || 'pick';
