/**
 * Formats an amount for people: `$40.00`, or `40.00 EUR` for other currencies.
 * @param amount in the smallest unit of the currency, as providers count: 4000 is `40.00 EUR` or `4000 JPY`
 * @param currency ISO 4217, in lower case
 */
export function formatMoney(amount: number, currency: string): string {
  const digits = fractionDigits(currency);
  const sign = amount < 0 ? '-' : '';
  const text = (Math.abs(amount) / 10 ** digits).toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return currency === 'usd' ? `${sign}$${text}` : `${sign}${text} ${currency.toUpperCase()}`;
}

/** The amount as a form shows it and `parseMoney` reads it: `40.00`, `4000` of yen. */
export function moneyFieldText(amount: number, currency: string): string {
  const digits = fractionDigits(currency);
  return (amount / 10 ** digits).toFixed(digits);
}

/** Reads `120` or `120.50`, in the smallest unit of the currency; undefined if the text is no such amount. */
export function parseMoney(text: string, currency: string): number | undefined {
  const digits = fractionDigits(currency);
  const found = /^\d{1,12}(?:\.(\d+))?$/.exec(text);
  if (!found || (found[1] ?? '').length > digits) return undefined;
  return Math.round(Number(text) * 10 ** digits);
}

/** 2 for an unknown currency. */
function fractionDigits(currency: string): number {
  try {
    return new Intl.NumberFormat('en-US', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    return 2;
  }
}
