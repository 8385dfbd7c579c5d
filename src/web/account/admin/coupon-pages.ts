import type { Coupon } from '../../../accounts/billing/customer-billing.ts';
import { formatTime, parseDate, parseTime } from '../../../domain/time.ts';
import { type Html, html } from '../../layout/html.ts';
import { form, selectField, submit, textField } from '../fields.ts';
import { creditsText, timeTag } from '../formats.ts';
import { notFound } from '../not-found.ts';
import { textOf } from '../values.ts';
import type { Refusal, SignedInVisit, SiteAnswer, SiteRoute } from '../visit.ts';
import type { AdminParts } from './admin-parts.ts';
import { checkForm, MOST } from './form-check.ts';
import { badge, confirmed, idOf, mayChange, sentValue, staffGet, staffPage, table, typedOr } from './staff-pages.ts';
import { actOf, staffPost } from './staff-post.ts';

type CouponParts = Pick<AdminParts, 'billing' | 'securityLog' | 'recordStaffAct' | 'now'>;

const PATH = '/admin/coupons';
const CODE = /^[A-Z0-9_-]{3,40}$/;
/** The most that a coupon of each kind gives: credits, or percent of a price. */
const MOST_OF = { credits: 1_000_000, percent: 100 } as const;

export function couponRoutes(parts: CouponParts): readonly SiteRoute[] {
  const { billing } = parts;
  const refused = (visit: SignedInVisit, refusal: Refusal) => couponPage(parts, visit, refusal);
  return [
    staffGet(PATH, (visit) => couponPage(parts, visit)),
    staffPost(parts, {
      ...{ path: PATH, access: 'admin', refused },
      async run(visit) {
        const coupon = couponOf(visit.form);
        await billing.createCoupon(actOf(visit), coupon);
        return { to: PATH, text: `The coupon ${coupon.code} is there.` };
      },
    }),
    staffPost(parts, {
      ...{ path: `${PATH}/{id}/toggle`, access: 'admin', refused },
      async run(visit) {
        const id = await couponId(parts, visit);
        const check = checkForm(visit.form);
        const isActive = check.flag('active');
        check.done();
        if (!(await billing.setCouponActive(actOf(visit), id, isActive!))) throw notFound();
        return { to: PATH, text: isActive ? 'The coupon is on.' : 'The coupon is off.' };
      },
    }),
    staffPost(parts, {
      ...{ path: `${PATH}/{id}/delete`, access: 'admin', refused },
      async run(visit) {
        if (!(await billing.deleteCoupon(actOf(visit), idOf(visit, 'id')))) throw notFound();
        return { to: PATH, text: 'The coupon is deleted.' };
      },
    }),
  ];
}

/** What is not there is told before what is wrong with the form. */
async function couponId({ billing }: CouponParts, visit: SignedInVisit): Promise<number> {
  const id = idOf(visit, 'id');
  if (!(await billing.coupons()).some((coupon) => coupon.id === id)) throw notFound();
  return id;
}

function couponOf(posted: URLSearchParams) {
  const check = checkForm(posted);
  const code = textOf(posted, 'code').toUpperCase();
  if (!CODE.test(code)) check.wrong('code', 'A code has 3 to 40 letters A to Z, digits, - and _.');
  const kind = textOf(posted, 'kind');
  if (kind !== 'credits' && kind !== 'percent') check.wrong('kind', 'A coupon gives credits or percent.');
  const value = check.number('value', 1, MOST_OF[kind === 'percent' ? 'percent' : 'credits']);
  const maxUses = check.numberOrNone('max_uses', 1, MOST);
  const expiresAt = momentOf(textOf(posted, 'expires_at'));
  if (expiresAt === undefined) {
    check.wrong('expires_at', 'This is a UTC date or time, such as 2026-12-31 or 2026-12-31T18:00:00Z.');
  }
  check.done();
  return { code, kind, value: value!, maxUses: maxUses!, expiresAt: expiresAt! };
}

/** ISO 8601 of a UTC date or time, with or without its Z; null where there is none, undefined where it is wrong. */
function momentOf(text: string): string | null | undefined {
  if (text === '') return null;
  const spaced = text.replace(' ', 'T');
  const time = parseDate(text) ?? parseTime(spaced) ?? parseTime(`${spaced}Z`);
  return time === null ? undefined : formatTime(time);
}

async function couponPage({ billing, now }: CouponParts, visit: SignedInVisit, refusal?: Refusal): Promise<SiteAnswer> {
  const coupons = await billing.coupons();
  const isAdmin = mayChange(visit);
  const heads = ['Code', 'Gives', 'Used', 'Until', 'State', ...(isAdmin ? ['Change'] : [])];
  return staffPage(
    visit,
    'Coupons',
    html`<section aria-labelledby="coupons"><h2 id="coupons">All coupons</h2>
${table(
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
  visit: SignedInVisit,
  coupon: Coupon,
  now: number,
  isAdmin: boolean,
  refusal: Refusal | undefined,
): Html {
  const { id, code, kind, value, maxUses, uses, expiresAt, isActive } = coupon;
  const until = expiresAt === null ? 'without end' : timeTag(expiresAt, visit.session.user.timezone);
  const gives = kind === 'percent' ? `${value} percent` : `${creditsText(value)} credits`;
  const used = `${creditsText(uses)}${maxUses === null ? '' : ` of ${creditsText(maxUses)}`}`;
  return html`<tr><td class="wide">${code}</td><td>${gives}</td><td>${used}</td><td>${until}</td><td>${stateOf(coupon, now)}</td>${
    isAdmin &&
    html`<td>${toggle(visit, id, isActive, visit.params['id'] === String(id) ? refusal?.fields['active'] : undefined)}
${confirmed(`Delete ${code}…`, form(visit, `${PATH}/${id}/delete`, submit('Delete for good', 'danger')))}</td>`
  }</tr>`;
}

const toggle = (visit: SignedInVisit, id: number, isActive: boolean, error: string | undefined): Html =>
  form(
    visit,
    `${PATH}/${id}/toggle`,
    html`${sentValue('active', String(!isActive), 'Active', `field-active-${id}`, error)}${submit(isActive ? 'Switch off' : 'Switch on')}`,
  );

function stateOf({ isActive, expiresAt, maxUses, uses }: Coupon, now: number): Html {
  if (!isActive) return badge('off');
  if (expiresAt !== null && Date.parse(expiresAt) <= now) return badge('ended');
  return badge(maxUses !== null && uses >= maxUses ? 'used up' : 'on');
}

function newCoupon(visit: SignedInVisit, refusal: Refusal | undefined): Html {
  const field = (name: string) => ({
    ...{ name, value: typedOr(visit, refusal, name, '') },
    error: refusal?.fields[name],
  });
  return html`<section aria-labelledby="new"><h2 id="new">New coupon</h2>
${form(
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
${submit('Make the coupon')}`,
)}</section>`;
}
