import { DateTime } from 'luxon';
import { type Html, html } from '../layout/html.ts';

export { formatMoney } from '../../accounts/billing/format-money.ts';
export { creditAmount, creditsText } from '../../domain/accounts/format-credits.ts';

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

/** Each locale knows the abbreviations that are common in its country, and falls back to `GMT+1`. */
const LOCALES = ['en-US', 'en-GB', 'en-AU', 'en-NZ', 'en-ZA', 'en-IN'];

function abbreviationOf(time: DateTime): string {
  const names = LOCALES.map((locale) => time.setLocale(locale).offsetNameShort ?? 'UTC');
  return names.find((name) => !/^GMT./.test(name)) ?? names[0]!;
}
