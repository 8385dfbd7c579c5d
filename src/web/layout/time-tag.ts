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

/** `clock` is for a list of one UTC day: the script adds the weekday where it is another day in the browser's zone. */
const PUBLIC_FORMATS = { minute: 'd LLL yyyy, HH:mm', second: 'd LLL yyyy, HH:mm:ss', clock: 'HH:mm' } as const;

/** A time of a page that is the same for everybody: in UTC, until a script writes it in the zone of the browser. */
export function publicTime(iso: string, precision: keyof typeof PUBLIC_FORMATS = 'minute'): Html {
  const utc = new Date(iso);
  const text = DateTime.fromJSDate(utc).toUTC().toFormat(PUBLIC_FORMATS[precision], { locale: 'en-GB' });
  return html`<time datetime="${utc.toISOString()}" data-local="${precision}">${text} UTC</time>`;
}

/** Each locale knows the abbreviations that are common in its country, and falls back to `GMT+1`. */
const LOCALES = ['en-US', 'en-GB', 'en-AU', 'en-NZ', 'en-ZA', 'en-IN'];

function abbreviationOf(time: DateTime): string {
  const names = LOCALES.map((locale) => time.setLocale(locale).offsetNameShort ?? 'UTC');
  return names.find((name) => !/^GMT./.test(name)) ?? names[0]!;
}
