export { formatMoney, moneyFieldText } from '../../accounts/billing/format-money.ts';
export { creditAmount, creditsText } from '../../domain/accounts/format-credits.ts';
export { timeTag } from '../layout/time-tag.ts';
