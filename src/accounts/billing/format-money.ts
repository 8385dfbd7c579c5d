/**
 * An amount for people: `$40.00`, of other currencies `40.00 EUR`.
 * @param amount in the smallest unit of the currency, as providers count it: 4000 is `40.00 EUR` and `4000 JPY`
 * @param currency ISO 4217, in small letters
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

/** 2 where the currency is none that is known. */
function fractionDigits(currency: string): number {
  try {
    return new Intl.NumberFormat('en-US', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    return 2;
  }
}
