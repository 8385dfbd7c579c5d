import type { EvaluatedBet } from '../../../api/operations/bets/evaluate-bets.ts';
import { readBetRow } from '../../../api/operations/bets/read-bet-csv.ts';
import { ownValue } from '../../../domain/primitives/own-properties.ts';
import { formatDate, formatTime } from '../../../domain/primitives/time.ts';
import { type Html, html } from '../../layout/html.ts';
import type { NamedEvent } from '../find-named-event.ts';
import { hiddenField, submitButton, textField } from '../form-fields.ts';
import { fieldText } from '../form-values.ts';
import type { Refusal } from '../page-route.ts';

type Field = 'pick' | 'date' | 'odds' | 'stake' | 'book';
/** The fields, by what the API calls them. */
const NAMES: Readonly<Record<string, Field>> = {
  text: 'pick',
  placed_at: 'date',
  price: 'odds',
  decimal: 'odds',
  stake: 'stake',
  book: 'book',
};

/** The form for one bet, as one says it. @param event that it is on; undefined: the bet names it */
export function oneBetFields(
  typed: URLSearchParams,
  event: NamedEvent | undefined,
  refusal: Refusal | undefined,
): Html {
  const field = fieldsOf(typed, refusal);
  return html`${event && html`${hiddenField('event', String(event.id))}<p>On <a href="/events/${event.id}">${event.name}</a>. <a href="/bets">On another game</a></p>`}
<div class="field-grid">
${textField({ ...field('pick'), label: 'Bet', required: true, maxlength: 200, hint: event ? 'A side with ML or its line, or over or under and the line: over 44.5' : 'Arsenal -1, Chiefs ML, Lions v Bears under 44.5' })}
${termFields(field)}
${!event && textField({ ...field('date'), label: 'Day of the game', type: 'date', hint: 'UTC; empty: within three days' })}
</div>
${submitButton('Keep the bet')}`;
}

/** What can be changed of a bet: what it was taken at. */
export const changedBetFields = (typed: URLSearchParams, refusal: Refusal | undefined): Html =>
  html`<div class="field-grid terms">
${termFields(fieldsOf(typed, refusal))}
</div>`;

type FieldOf = (name: Field) => { readonly name: Field; readonly value: string; readonly error: string | undefined };

const fieldsOf =
  (typed: URLSearchParams, refusal: Refusal | undefined): FieldOf =>
  (name) => ({ name, value: fieldText(typed, name), error: refusal?.fields[name] });

const termFields = (
  field: FieldOf,
): Html => html`${textField({ ...field('odds'), label: 'Price', required: true, inputmode: 'decimal', hint: '2.10 or +110' })}
${textField({ ...field('stake'), label: 'Stake', required: true, inputmode: 'decimal' })}
${textField({ ...field('book'), label: 'Book', required: true, maxlength: 60 })}`;

export const isOneBet = (form: URLSearchParams): boolean => form.has('pick');

/**
 * The bet of the form, as the API takes it. Of a game of an earlier day it counts as placed when that day began, otherwise
 * now.
 * @param event that it is on; undefined: the bet names it
 * @param now milliseconds
 */
export function readOneBet(form: URLSearchParams, event: NamedEvent | undefined, now: number): Record<string, unknown> {
  const day = event ? event.startsAt.slice(0, 10) : fieldText(form, 'date');
  const isPast = day !== '' && day < formatDate(now);
  const pick = fieldText(form, 'pick');
  const placed = { placed_at: isPast ? day : formatTime(now), ...termsOf(form) };
  if (event) return readCells({ text: pick, clues_event_id: String(event.id), ...placed });
  return readCells({ text: [pick, day].filter((part) => part !== '').join(' '), ...placed });
}

/** The bet with the terms of the form: it stays on what it was on, and was placed when it was placed. */
export function readChangedBet(form: URLSearchParams, bet: EvaluatedBet): Record<string, unknown> {
  const { event_id, market_key, side, line, player_id, team_id, scope, placed_at } = bet;
  const leg = { event_id, market_key, side, line, player_id, team_id, scope, placed_at };
  const known = Object.entries(leg).filter(([, value]) => value !== null && value !== undefined);
  return { ...readCells(termsOf(form)), ...Object.fromEntries(known) };
}

const termsOf = (form: URLSearchParams) => ({
  price: fieldText(form, 'odds'),
  stake: fieldText(form, 'stake'),
  book: fieldText(form, 'book'),
});

const readCells = (cells: Readonly<Record<string, string>>): Record<string, unknown> =>
  readBetRow((column) => ownValue(cells, column) ?? '');

/** Where the form shows an error of the API. @param column as the API calls it */
export const fieldOfColumn = (column: unknown): string => (typeof column === 'string' && NAMES[column]) || 'pick';
