import type { Coupon } from '../../../accounts/billing/model/billing-services.ts';
import { formatTime, parseDate, parseTime } from '../../../domain/primitives/time.ts';
import { type Html, html } from '../../layout/html.ts';
import { tableOrEmpty } from '../../layout/states.ts';
import { postForm, selectField, submitButton, textField } from '../form-fields.ts';
import { fieldText } from '../form-values.ts';
import { creditAmount, creditsText, timeTag } from '../formats.ts';
import { notFound } from '../page-errors.ts';
import type { PageResponse, PageRoute, Refusal, SignedInRequest } from '../page-route.ts';
import type { AdminParts } from './admin-parts.ts';
import { MAX_WHOLE_NUMBER, readFormFields } from './form-field-reader.ts';
import {
  badge,
  confirmation,
  hiddenOrSelectField,
  idFromPath,
  mayChange,
  staffActorOf,
  staffGet,
  staffPage,
  staffPost,
  typedValueOr,
} from './staff-page-frame.ts';

type CouponParts = Pick<AdminParts, 'billing' | 'securityLog' | 'recordStaffAct' | 'now'>;

const PATH = '/admin/coupons';
const CODE = /^[A-Z0-9_-]{3,40}$/;
/** The highest value of a coupon by kind: credits, or percent of a price. */
const MAX_VALUE = { credits: 1_000_000, percent: 100 } as const;

export function couponRoutes(parts: CouponParts): readonly PageRoute[] {
  const { billing } = parts;
  const refused = (visit: SignedInRequest, refusal: Refusal) => couponPage(parts, visit, refusal);
  return [
    staffGet(PATH, (visit) => couponPage(parts, visit)),
    staffPost(parts, {
      path: PATH,
      access: 'admin',
      refused,
      async run(visit) {
        const coupon = readCoupon(visit.form);
        await billing.createCoupon(staffActorOf(visit), coupon);
        return { to: PATH, text: `The coupon ${coupon.code} is there.` };
      },
    }),
    staffPost(parts, {
      path: `${PATH}/{id}/toggle`,
      access: 'admin',
      refused,
      async run(visit) {
        const id = await couponId(parts, visit);
        const check = readFormFields(visit.form);
        const isActive = check.flag('active');
        check.throwIfInvalid();
        if (!(await billing.setCouponActive(staffActorOf(visit), id, isActive!))) throw notFound();
        return { to: PATH, text: isActive ? 'The coupon is on.' : 'The coupon is off.' };
      },
    }),
    staffPost(parts, {
      path: `${PATH}/{id}/delete`,
      access: 'admin',
      refused,
      async run(visit) {
        if (!(await billing.deleteCoupon(staffActorOf(visit), idFromPath(visit, 'id')))) throw notFound();
        return { to: PATH, text: 'The coupon is deleted.' };
      },
    }),
  ];
}

/** A missing coupon is reported before errors of the form. */
async function couponId({ billing }: CouponParts, visit: SignedInRequest): Promise<number> {
  const id = idFromPath(visit, 'id');
  if (!(await billing.coupons()).some((coupon) => coupon.id === id)) throw notFound();
  return id;
}

function readCoupon(posted: URLSearchParams) {
  const check = readFormFields(posted);
  const code = fieldText(posted, 'code').toUpperCase();
  if (!CODE.test(code)) check.addError('code', 'A code has 3 to 40 letters A to Z, digits, - and _.');
  const kind = fieldText(posted, 'kind');
  if (kind !== 'credits' && kind !== 'percent') check.addError('kind', 'A coupon gives credits or percent.');
  const value = check.number('value', 1, MAX_VALUE[kind === 'percent' ? 'percent' : 'credits']);
  const maxUses = check.numberOrNull('max_uses', 1, MAX_WHOLE_NUMBER);
  const expiresAt = readTime(fieldText(posted, 'expires_at'));
  if (expiresAt === undefined) {
    check.addError('expires_at', 'This is a UTC date or time, such as 2026-12-31 or 2026-12-31T18:00:00Z.');
  }
  check.throwIfInvalid();
  return { code, kind, value: value!, maxUses: maxUses!, expiresAt: expiresAt! };
}

/**
 * Returns the ISO 8601 time of a UTC date or time, with or without its Z. Null if the text is empty, undefined if it is
 * wrong.
 */
function readTime(text: string): string | null | undefined {
  if (text === '') return null;
  const spaced = text.replace(' ', 'T');
  const time = parseDate(text) ?? parseTime(spaced) ?? parseTime(`${spaced}Z`);
  return time === null ? undefined : formatTime(time);
}

async function couponPage(
  { billing, now }: CouponParts,
  visit: SignedInRequest,
  refusal?: Refusal,
): Promise<PageResponse> {
  const coupons = await billing.coupons();
  const isAdmin = mayChange(visit);
  const heads = ['Code', 'Gives', 'Used', 'Until', 'State', ...(isAdmin ? ['Change'] : [])];
  return staffPage(
    visit,
    'Coupons',
    html`<section aria-labelledby="coupons"><h2 id="coupons">All coupons</h2>
${tableOrEmpty(
  'Coupons',
  heads,
  coupons.map((coupon) => couponRow(visit, coupon, now(), isAdmin, refusal)),
  'There are none.',
)}</section>
${isAdmin && newCoupon(visit, visit.path === PATH ? refusal : undefined)}`,
    refusal,
  );
}

function couponRow(
  visit: SignedInRequest,
  coupon: Coupon,
  now: number,
  isAdmin: boolean,
  refusal: Refusal | undefined,
): Html {
  const { id, code, kind, value, maxUses, uses, expiresAt, isActive } = coupon;
  const until = expiresAt === null ? 'without end' : timeTag(expiresAt, visit.session.user.timezone);
  const gives = kind === 'percent' ? `${value} percent` : `${creditAmount(value)}`;
  const used = `${creditsText(uses)}${maxUses === null ? '' : ` of ${creditsText(maxUses)}`}`;
  return html`<tr><td class="wide">${code}</td><td>${gives}</td><td>${used}</td><td>${until}</td><td>${couponStateBadge(coupon, now)}</td>${
    isAdmin &&
    html`<td>${toggle(visit, id, isActive, visit.params['id'] === String(id) ? refusal?.fields['active'] : undefined)}
${confirmation(`Delete ${code}…`, postForm(visit, `${PATH}/${id}/delete`, submitButton('Delete for good', 'danger')))}</td>`
  }</tr>`;
}

const toggle = (visit: SignedInRequest, id: number, isActive: boolean, error: string | undefined): Html =>
  postForm(
    visit,
    `${PATH}/${id}/toggle`,
    html`${hiddenOrSelectField('active', String(!isActive), 'Active', `field-active-${id}`, error)}${submitButton(isActive ? 'Switch off' : 'Switch on')}`,
  );

function couponStateBadge({ isActive, expiresAt, maxUses, uses }: Coupon, now: number): Html {
  if (!isActive) return badge('off');
  if (expiresAt !== null && Date.parse(expiresAt) <= now) return badge('ended');
  return badge(maxUses !== null && uses >= maxUses ? 'used up' : 'on');
}

function newCoupon(visit: SignedInRequest, refusal: Refusal | undefined): Html {
  const field = (name: string) => ({
    name,
    value: typedValueOr(visit, refusal, name, ''),
    error: refusal?.fields[name],
  });
  return html`<section aria-labelledby="new"><h2 id="new">New coupon</h2>
${postForm(
  visit,
  PATH,
  html`${textField({ ...field('code'), label: 'Code', hint: '3 to 40 of A to Z, 0 to 9, - and _. Case does not count.' })}
${selectField({
  ...field('kind'),
  label: 'Kind',
  options: [
    ['credits', 'credits, at once'],
    ['percent', 'percent off the next charge'],
  ],
})}
${textField({ ...field('value'), label: 'Value', inputmode: 'numeric', hint: '1 to 1,000,000 credits, or 1 to 100 percent.' })}
${textField({ ...field('max_uses'), label: 'Most uses', inputmode: 'numeric', hint: 'Of all accounts together; empty: no limit.' })}
${textField({ ...field('expires_at'), label: 'Ends at', hint: 'UTC, a date (its first moment) or a time such as 2026-12-31T18:00:00Z; empty: never.' })}
${submitButton('Make the coupon')}`,
)}</section>`;
}
