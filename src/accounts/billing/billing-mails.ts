import type { Mail } from '../../mail/mail.ts';
import type { BillingMail } from './pack-payments.ts';

interface Words {
  readonly subject: string;
  readonly text: string;
}

const WORDS: Readonly<Record<BillingMail, Words>> = {
  auto_recharge_declined: {
    subject: 'Auto-recharge was turned off',
    text: 'Your credits have run low, and a pack could not be paid for. Auto-recharge was turned off, and nothing was charged.',
  },
  invoice_declined: {
    subject: 'Your plan could not be charged',
    text: 'This month of your plan could not be charged. After two declined charges in a row, calls that cost credits are refused until the month is paid.',
  },
};

/** @param baseUrl the public address, without a slash at its end */
export function billingMail(what: BillingMail, to: string, baseUrl: string): Mail {
  const { subject, text } = WORDS[what];
  return { to, subject, text: `${text}\n\nYour card and your plan: ${baseUrl}/billing\n` };
}
