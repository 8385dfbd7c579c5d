import type { BillingLogger } from '../../../../src/accounts/billing/payments/payment-processor.ts';

export interface LoggedLine {
  readonly level: string;
  readonly message: string;
  readonly [field: string]: unknown;
}

/** Keeps what is told of payments. */
export function createRecordingLogger(): { readonly log: BillingLogger; readonly lines: LoggedLine[] } {
  const lines: LoggedLine[] = [];
  const tell = (level: string) => (fields: Readonly<Record<string, unknown>>, message: string) =>
    void lines.push({ ...fields, level, message });
  return { log: { info: tell('info'), warn: tell('warn'), error: tell('error') }, lines };
}
