import type { BillingAct } from '../../../accounts/billing/customer-billing.ts';
import { Refused, wrongField } from '../../../domain/refused-act.ts';
import { textOf, wholeNumber } from '../values.ts';
import type { SignedInVisit } from '../visit.ts';

export const actOf = ({ session: { user }, requestId }: SignedInVisit): BillingAct => ({
  accountId: user.accountId,
  userId: user.id,
  requestId,
});

/** Of a form that takes money. @throws Refused where its key is none */
export function moneyActOf(visit: SignedInVisit): BillingAct {
  const idempotencyKey = textOf(visit.form, 'idempotency_key') || undefined;
  if (idempotencyKey !== undefined && !/^[\x21-\x7e]{1,200}$/.test(idempotencyKey)) {
    throw wrongField('idempotency_key', 'This form was changed on its way. Load the page again.');
  }
  return { ...actOf(visit), idempotencyKey };
}

/** @throws Refused */
export function packIdOf(form: URLSearchParams): number {
  const id = wholeNumber(textOf(form, 'pack_id'));
  if (id === undefined) throw wrongField('pack_id', 'Choose a pack.');
  return id;
}

type AutoRecharge =
  | { readonly enabled: false }
  | { readonly enabled: true; readonly threshold: number; readonly packId: number; readonly monthlyCapCents: number };

/** What is no number is refused here, what is too much or too little where the rules are. @throws Refused */
export function autoRechargeOf(form: URLSearchParams): AutoRecharge {
  const enabled = textOf(form, 'enabled');
  if (enabled === '') return { enabled: false };
  if (enabled !== 'on') throw wrongField('enabled', 'Auto-recharge is `on`, or the field is absent.');
  const threshold = wholeNumber(textOf(form, 'threshold'));
  const packId = wholeNumber(textOf(form, 'pack_id'));
  const monthlyCapCents = wholeNumber(textOf(form, 'monthly_cap_cents'));
  if (threshold !== undefined && packId !== undefined && monthlyCapCents !== undefined) {
    return { enabled: true, threshold, packId, monthlyCapCents };
  }
  throw new Refused(422, 'Auto-recharge needs a threshold, a pack and a monthly cap.', {
    fields: {
      ...(threshold === undefined && { threshold: 'A whole number of credits.' }),
      ...(packId === undefined && { pack_id: 'Choose a pack.' }),
      ...(monthlyCapCents === undefined && { monthly_cap_cents: 'A whole number of cents.' }),
    },
  });
}
