import type { PackPayment } from './billing-registry.ts';

/** What is bought, in words. From the row alone: asked for again, it is asked for in the same ones. */
export function lineOf({ purpose, month, credits, packName }: Omit<PackPayment, 'state'>): string {
  switch (purpose) {
    case 'growth':
      return `${packName} plan, rest of ${month} (${credits} credits)`;
    case 'month':
      return `${packName} plan, ${month}`;
    default:
      return `${credits} credits (${packName})`;
  }
}
