const NUMBER = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** `25,000`; halves as `0.5`. */
export const creditsText = (credits: number): string => NUMBER.format(credits);

/** `25,000 credits`, `1 credit`. */
export const creditAmount = (credits: number): string =>
  `${creditsText(credits)} ${credits === 1 ? 'credit' : 'credits'}`;
