import type { BillingOverview, Invoice } from '../../../accounts/billing/customer-billing.ts';
import type { Refusal, SignedInVisit } from '../visit.ts';
import type { CardEntry } from './card-entry.ts';

/** What the page shows. */
export interface BillingView {
  readonly visit: SignedInVisit;
  readonly overview: BillingOverview;
  readonly invoices: readonly Invoice[];
  readonly cardEntry: CardEntry;
  /** For each form that takes money, another one each time that it is drawn. */
  readonly newKey: () => string;
  /** Of the form that was posted; undefined: the page was asked for. */
  readonly refusal: Refusal | undefined;
}

/** What is wrong with the fields of the form at this path, and what was typed there; nothing where another was posted. */
export function postedTo({ visit, refusal, newKey }: BillingView, path: string) {
  const isPosted = refusal !== undefined && visit.path === path;
  return {
    errorOf: (name: string): string | undefined => (isPosted ? refusal.fields[name] : undefined),
    /**
     * What was posted counts as the same again while it is not known whether it was paid, or while it is being paid.
     * Otherwise the form that was posted has had its answer, and another purchase begins.
     */
    key: (): string => (isPosted && refusal.status === 409 && visit.form.get('idempotency_key')) || newKey(),
    /** Undefined where nothing was posted. */
    typed: (name: string): string | undefined => (isPosted ? (visit.form.get(name) ?? '') : undefined),
  };
}
