import { sum } from 'd3-array';
import { DAY, HOUR, MINUTE } from '../../../domain/primitives/time.ts';
import { type TimeBar, timeBarChart } from '../../layout/bar-charts.ts';
import { chartFigure, chartRow } from '../../layout/charts.ts';
import { dataTable, type Html, html } from '../../layout/html.ts';
import { creditsText, timeTag } from '../formats.ts';
import type { DiskSample, RecentFigures } from './recent-figures.ts';
import { card } from './staff-page-frame.ts';

const NOT_KNOWN = '–';

/** Errors, webhooks and the disk at a glance. @param isFull the last writes found no room */
export function recentCards({ spans, disk }: RecentFigures, isFull: boolean): Html {
  const total = (of: 'calls' | 'errors' | 'attempts' | 'failedAttempts') =>
    spans.length === 0 ? NOT_KNOWN : creditsText(sum(spans, (span) => span[of]));
  const kindOf = (of: 'errors' | 'failedAttempts') => (sum(spans, (span) => span[of]) > 0 ? 'bad' : 'plain');
  const since =
    spans.length === 0 ? 'Known after a minute' : `of the last ${minutesText(sum(spans, ({ length }) => length))}`;
  const newest = disk.at(-1);
  const growth = growthADay(disk);
  const more = growth === null ? 'Its growth is known after an hour' : `${signedBytes(growth)} a day`;
  return html`${card('Errors', total('errors'), spans.length === 0 ? since : `Answered with 5xx, of ${total('calls')} calls ${since}`, kindOf('errors'))}
${card('Webhooks failing', total('failedAttempts'), spans.length === 0 ? since : `Of ${total('attempts')} tries ${since}`, kindOf('failedAttempts'))}
${card('Disk', newest ? bytesText(newest.bytes) : isFull ? 'Full' : 'Has room', newest ? (isFull ? `Full: nothing is taken in. ${more}` : more) : 'How much is not known here')}`;
}

/**
 * Bytes that the disk's files grow by in 24 hours: from the oldest sample of the last day to the newest. Null: they are
 * less than an hour apart.
 */
export function growthADay(disk: readonly DiskSample[]): number | null {
  const newest = disk.at(-1);
  const oldest = newest && disk.find(({ at }) => newest.at - at <= DAY);
  if (!newest || !oldest || newest.at - oldest.at < HOUR) return null;
  return ((newest.bytes - oldest.bytes) * DAY) / (newest.at - oldest.at);
}

/** Errors a minute, and what the disk's files took, as charts with their tables; nothing before the first minute. */
export function recentCharts({ spans, disk }: RecentFigures, timezone: string): Html | false {
  if (spans.length === 0 && disk.length < 2) return false;
  const minutes = spans.map(({ at, length, ...counts }) => ({
    at,
    perMinute: (counts.errors * MINUTE) / length,
    ...counts,
  }));
  const errors =
    minutes.length > 0 &&
    chartFigure(
      timeBarChart(
        'Errors a minute, as in the table',
        minutes.map(({ at, perMinute }) => ({ ...barAt(at), value: perMinute })),
        { text: (value) => String(Number(value.toFixed(1))) },
      ),
      'Errors a minute: calls that were answered with 5xx, in the last hour (UTC).',
    );
  const bytes =
    disk.length > 1 &&
    chartFigure(
      timeBarChart(
        'What the files of the data folder take, as in the table',
        disk.map((sample) => ({ ...barAt(sample.at), value: sample.bytes })),
        { text: bytesText, tick: bytesText },
      ),
      'What the files of the data folder take, hour by hour of at most seven days (UTC).',
    );
  return html`<h3>Lately</h3>
${chartRow(errors, bytes)}
<details><summary>Lately, in numbers</summary>${dataTable(
    'Calls and webhooks by minute',
    ['Until', ...['Calls', 'Errors', 'Tries of webhooks', 'Failed'].map((name) => [name, 'number'] as const)],
    minutes
      .toReversed()
      .map(
        ({ at, calls, errors: failed, attempts, failedAttempts }) =>
          html`<tr><th scope="row">${timeTag(new Date(at).toISOString(), timezone)}</th>${[calls, failed, attempts, failedAttempts].map((value) => html`<td class="number">${creditsText(value)}</td>`)}</tr>\n`,
      ),
  )}${dataTable(
    'The disk by hour',
    ['At', ['Bytes', 'number']],
    disk
      .toReversed()
      .map(
        ({ at, bytes: taken }) =>
          html`<tr><th scope="row">${timeTag(new Date(at).toISOString(), timezone)}</th><td class="number">${creditsText(taken)}</td></tr>\n`,
      ),
  )}</details>`;
}

const barAt = (at: number): Pick<TimeBar, 'name' | 'label'> => {
  const iso = new Date(at).toISOString();
  return { name: `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`, label: iso.slice(11, 16) };
};

function minutesText(milliseconds: number): string {
  const minutes = Math.max(1, Math.round(milliseconds / MINUTE));
  return minutes === 1 ? 'minute' : `${minutes} minutes`;
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Bytes with three digits, in powers of 1,000: `1.25 GB`. */
export function bytesText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${Number((bytes / 1000 ** power).toPrecision(3))} ${UNITS[power]}`;
}

const signedBytes = (bytes: number): string => `${bytes < 0 ? '−' : '+'}${bytesText(Math.abs(bytes))}`;
