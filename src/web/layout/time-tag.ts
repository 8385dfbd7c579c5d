import { DateTime } from 'luxon';
import { type Html, html } from './html.ts';

/**
 * A time in the reader's zone, with the zone's abbreviation.
 * @param timezone IANA name; an unknown one counts as UTC
 */
export function timeTag(iso: string, timezone: string): Html {
  const utc = new Date(iso).toISOString();
  const there = DateTime.fromISO(utc).setZone(timezone);
  const shown = there.isValid ? there : DateTime.fromISO(utc).toUTC();
  const text = `${shown.toFormat('d LLL yyyy, HH:mm', { locale: 'en-GB' })} ${abbreviationOf(shown)}`;
  return html`<time datetime="${utc}">${text}</time>`;
}

/** A time of a page that is the same for everybody: in UTC, until a script writes it in the zone of the browser. */
export function publicTime(iso: string, precision: 'minute' | 'second' = 'minute'): Html {
  const utc = new Date(iso);
  const format = precision === 'second' ? 'd LLL yyyy, HH:mm:ss' : 'd LLL yyyy, HH:mm';
  const text = DateTime.fromJSDate(utc).toUTC().toFormat(format, { locale: 'en-GB' });
  return html`<time datetime="${utc.toISOString()}" data-local="${precision}">${text} UTC</time>`;
}

/** Each locale knows the abbreviations that are common in its country, and falls back to `GMT+1`. */
const LOCALES = ['en-US', 'en-GB', 'en-AU', 'en-NZ', 'en-ZA', 'en-IN'];

function abbreviationOf(time: DateTime): string {
  const names = LOCALES.map((locale) => time.setLocale(locale).offsetNameShort ?? 'UTC');
  return names.find((name) => !/^GMT./.test(name)) ?? names[0]!;
}
