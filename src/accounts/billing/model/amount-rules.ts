/** The discount of a percent coupon, in cents. */
export const couponDiscount = (priceCents: number, percent: number): number => Math.floor((priceCents * percent) / 100);

export const isIntegerWithin = (value: number, min: number, max: number): boolean =>
  Number.isSafeInteger(value) && value >= min && value <= max;
