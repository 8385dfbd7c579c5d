/** A bound for later calculations: more than 30 years. */
const MOST_SECONDS = 1_000_000_000;
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * The seconds of a `Retry-After` header (RFC 9110, 10.2.3), rounded up; undefined if it has no valid value.
 * @param now milliseconds
 */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text), MOST_SECONDS);
  const at = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.min(Math.max(0, Math.ceil((at - now) / 1000)), MOST_SECONDS);
}
