import { type Html, html } from '../../layout/html.ts';
import { refusalBox } from '../fields.ts';
import type { BillingView } from './billing-view.ts';
import { cardSection } from './card-section.ts';
import { autoRechargeSection, couponSection, packSection } from './credit-sections.ts';
import { invoiceSection } from './invoice-section.ts';
import { planSection } from './plan-section.ts';

export const billingPage = (view: BillingView): Html => html`${refusalBox(view.refusal)}
${notices(view)}
${planSection(view)}
${cardSection(view)}
${packSection(view)}
${autoRechargeSection(view)}
${couponSection(view)}
${invoiceSection(view)}`;

function notices({ overview, cardEntry }: BillingView): Html {
  const { testMode, paymentFailed, autoRecharge, waitingPercent } = overview;
  const told: readonly (string | null | false)[] = [
    (testMode || cardEntry === 'development') && 'TEST: no money moves on this server.',
    paymentFailed && 'Two invoices in a row were declined: calls that cost credits are refused until one is paid.',
    autoRecharge.notice,
    waitingPercent !== null && `A coupon takes ${waitingPercent} % off the next charge.`,
  ];
  return html`${told.map((text) => text && html`<p class="notice">${text}</p>`)}`;
}
