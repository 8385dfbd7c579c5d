import type { UsageFilter } from '../../../accounts/usage/usage-reader.ts';
import { fieldText, parseWholeNumber } from '../form-values.ts';
import type { Refusal } from '../page-route.ts';

/** The value of a query, or the refusal if something is wrong. */
type QueryResult<Value> = { readonly value: Value; readonly refusal?: undefined } | { readonly refusal: Refusal };

interface UsageQuery {
  readonly filter: Omit<UsageFilter, 'accountId'>;
  readonly page: number;
  readonly isCsv: boolean;
}

interface AnalyticsQuery {
  readonly days: number;
  readonly isJson: boolean;
}

export const DEFAULT_DAYS = 30;
const MAX_DAYS = 90;
const MAX_PAGE = 1_000_000_000;

export function readUsageQuery(query: URLSearchParams): QueryResult<UsageQuery> {
  const fields = readFields(query);
  const days = fields.number('days', 1, MAX_DAYS) ?? DEFAULT_DAYS;
  const page = fields.number('page', 1, MAX_PAGE) ?? 1;
  const keyId = fields.number('key_id', 1, Number.MAX_SAFE_INTEGER);
  const status = fields.one('status', statusOf, 'A status is a code from 100 to 599, or 2xx, 4xx or 5xx.');
  const q = fields.one('q', (text) => text, '');
  const isCsv = fields.one('format', (text) => text === 'csv' || undefined, 'The format is csv, or none.') ?? false;
  return fields.result({ filter: { days, keyId, status, q }, page, isCsv });
}

export function readAnalyticsQuery(query: URLSearchParams): QueryResult<AnalyticsQuery> {
  const fields = readFields(query);
  const days = fields.number('days', 1, MAX_DAYS) ?? DEFAULT_DAYS;
  const isJson = fields.one('format', (text) => text === 'json' || undefined, 'The format is json, or none.') ?? false;
  return fields.result({ days, isJson });
}

function statusOf(text: string): UsageFilter['status'] {
  const hundred = text.toLowerCase();
  if (hundred === '2xx' || hundred === '4xx' || hundred === '5xx') return hundred;
  return /^[1-5]\d\d$/.test(text) ? Number(text) : undefined;
}

/** Reads the fields of a query and collects errors. An empty field counts as absent, since forms send all fields. */
function readFields(query: URLSearchParams) {
  const wrong: Record<string, string> = {};

  /** @param read returns undefined for a wrong text */
  function one<Value>(name: string, read: (text: string) => Value | undefined, message: string): Value | undefined {
    const text = fieldText(query, name);
    if (query.getAll(name).length > 1) wrong[name] = 'Give it once.';
    if (text === '') return undefined;
    const value = read(text);
    if (value === undefined) wrong[name] ??= message;
    return value;
  }

  function inRange(text: string, min: number, max: number): number | undefined {
    const number = parseWholeNumber(text);
    return number !== undefined && number >= min && number <= max ? number : undefined;
  }

  return {
    one,
    number: (name: string, min: number, max: number) =>
      one(
        name,
        (text) => inRange(text, min, max),
        max < MAX_PAGE ? `A whole number from ${min} to ${max}.` : `A whole number from ${min} on.`,
      ),
    result<Value>(value: Value): QueryResult<Value> {
      const names = Object.keys(wrong);
      if (names.length === 0) return { value };
      const message = `Nothing is shown, since this is wrong: ${names.map((name) => NAMES[name]).join(', ')}.`;
      return { refusal: { status: 422, message, fields: wrong } };
    },
  };
}

const NAMES: Readonly<Record<string, string>> = {
  days: 'days',
  page: 'the page',
  key_id: 'the key',
  status: 'the status',
  q: 'the search',
  format: 'the format',
};
