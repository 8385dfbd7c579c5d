import type { PlanChange } from '../../../accounts/billing/model/billing-services.ts';
import { numberCell, numberHeading } from '../../browse/panels.ts';
import { type Html, html } from '../../layout/html.ts';
import { tableOrEmpty } from '../../layout/states.ts';
import { postForm, submitButton, textField } from '../form-fields.ts';
import { fieldText } from '../form-values.ts';
import { creditsText, formatMoney } from '../formats.ts';
import { notFound } from '../page-errors.ts';
import type { PageResponse, PageRoute, Refusal, SignedInRequest } from '../page-route.ts';
import type { AdminParts } from './admin-parts.ts';
import { MAX_WHOLE_NUMBER, readFormFields } from './form-field-reader.ts';
import {
  badge,
  confirmation,
  mayChange,
  staffActorOf,
  staffGet,
  staffPage,
  staffPost,
  typedValueOr,
} from './staff-page-frame.ts';

type PlanParts = Pick<AdminParts, 'billing' | 'securityLog' | 'recordStaffAct'>;
type PlanRow = Awaited<ReturnType<AdminParts['billing']['plans']>>[number];

const PATH = '/admin/plans';
/** The same pattern as in the configuration. */
const SLUG = /^[a-z0-9_-]{1,40}$/;

type Limit = Exclude<keyof PlanChange, 'name'>;
/** The limits of a plan: label, minimum, whether "no limit" is allowed, and the heading of their column if it is another. */
const LIMITS: readonly (readonly [Limit, string, number, 'or none' | 'needed', heading?: string])[] = [
  ['requests_per_minute', 'Requests a minute', 1, 'or none'],
  ['max_api_keys', 'API keys', 0, 'or none'],
  ['initial_credits', 'Credits at the beginning', 0, 'or none', 'Credits at first'],
  ['monthly_credits', 'Credits a month', 0, 'needed'],
  ['daily_credit_cap', 'Credits a day', 1, 'or none'],
  ['price_cents', 'Price a month, in cents', 0, 'needed', 'Price a month'],
];

export function planRoutes(parts: PlanParts): readonly PageRoute[] {
  const { billing } = parts;
  const refused = (visit: SignedInRequest, refusal: Refusal) => planPage(parts, visit, refusal);
  return [
    staffGet(PATH, (visit) => planPage(parts, visit)),
    staffPost(parts, {
      path: `${PATH}/{slug}`,
      access: 'admin',
      refused,
      async run(visit) {
        const slug = slugOf(visit);
        await billing.changePlan(staffActorOf(visit), slug, readPlanChange(visit.form));
        return { to: PATH, text: `The plan ${slug} is saved.` };
      },
    }),
    staffPost(parts, {
      path: `${PATH}/{slug}/delete`,
      access: 'admin',
      refused,
      async run(visit) {
        const slug = slugOf(visit);
        if (!(await billing.plans()).some((one) => one.slug === slug)) throw notFound();
        await billing.deletePlan(staffActorOf(visit), slug);
        return { to: PATH, text: `The plan ${slug} is deleted.` };
      },
    }),
  ];
}

/** @throws ApiError not_found if the text is no valid name of a plan */
function slugOf({ params }: SignedInRequest): string {
  const slug = params['slug'] ?? '';
  if (!SLUG.test(slug)) throw notFound();
  return slug;
}

/** An empty field means no limit. An absent field leaves the present value. */
function readPlanChange(posted: URLSearchParams): PlanChange {
  const check = readFormFields(posted);
  const change: { -readonly [K in keyof PlanChange]: PlanChange[K] } = {};
  if (posted.has('name')) change.name = check.text('name', 100) ?? '';
  for (const [name, , min, kind] of LIMITS) {
    if (!posted.has(name)) continue;
    const value =
      kind === 'needed' ? check.number(name, min, MAX_WHOLE_NUMBER) : check.numberOrNull(name, min, MAX_WHOLE_NUMBER);
    // A field that may not be empty is a number here, or is refused below.
    if (value !== undefined) change[name] = value as number;
  }
  check.throwIfInvalid();
  return change;
}

async function planPage({ billing }: PlanParts, visit: SignedInRequest, refusal?: Refusal): Promise<PageResponse> {
  const plans = await billing.plans();
  const isAdmin = mayChange(visit);
  const slug = visit.params['slug'] ?? fieldText(visit.query, 'new');
  const isNew = isAdmin && SLUG.test(slug) && !plans.some((one) => one.slug === slug);
  const wrongSlug = slug !== '' && !SLUG.test(slug) ? WRONG_SLUG : undefined;
  return staffPage(
    visit,
    'Plans',
    html`<section aria-labelledby="plans"><h2 id="plans">Plans in force</h2>
${tableOrEmpty(
  'Plans',
  ['Plan', ...LIMITS.map(([, label, , , heading]) => numberHeading(heading ?? label)), numberHeading('Accounts')],
  plans.map(planRow),
  'There are none.',
)}</section>
${isAdmin && html`<h2>Change a plan</h2>${plans.map((one) => planForms(visit, one, one.slug === visit.params['slug'] ? refusal : undefined))}`}
${
  isAdmin &&
  html`<section aria-labelledby="new"><h2 id="new">New plan</h2>
${isNew ? planForm(visit, slug, undefined, refusal) : slugForm(slug, wrongSlug?.message)}</section>`
}`,
    refusal ?? wrongSlug,
  );
}

const WRONG_SLUG: Refusal = {
  status: 422,
  message: 'A plan is named by 1 to 40 of a to z, 0 to 9, - and _.',
  fields: { new: 'A plan is named by 1 to 40 of a to z, 0 to 9, - and _.' },
};

const planRow = ({ slug, plan, accounts, isBuiltIn }: PlanRow): Html =>
  html`<tr><th scope="row">${String(plan['name'])}<br><code>${slug}</code> ${isBuiltIn && badge('built in')}</th>${LIMITS.map(([name]) => numberCell(name === 'price_cents' ? formatMoney(Number(plan[name] ?? 0), plan['currency'] === undefined ? 'usd' : String(plan['currency'])) : limitText(plan[name])))}${numberCell(creditsText(accounts))}</tr>`;

const limitText = (value: unknown): string => {
  if (value === undefined) return '0';
  return value === null ? 'no limit' : creditsText(Number(value));
};

function planForms(visit: SignedInRequest, { slug, plan, accounts, isBuiltIn }: PlanRow, refusal?: Refusal): Html {
  return html`<section>${confirmation(`Change ${String(plan['name'])} (${slug})…`, planForm(visit, slug, plan, refusal), refusal !== undefined)}
${
  !isBuiltIn &&
  accounts === 0 &&
  confirmation(
    `Delete ${String(plan['name'])} (${slug})…`,
    html`<p>The plan is gone for good. No account is on it.</p>
${postForm(visit, `${PATH}/${slug}/delete`, submitButton('Delete for good', 'danger'))}`,
  )
}</section>`;
}

/** @param plan the present plan; undefined if there is none of this name yet */
function planForm(
  visit: SignedInRequest,
  slug: string,
  plan: PlanRow['plan'] | undefined,
  refusal: Refusal | undefined,
): Html {
  const field = (name: string, present: unknown) => ({
    name,
    id: `field-${slug}-${name}`,
    error: refusal?.fields[name],
    value: typedValueOr(visit, refusal, name, present === null || present === undefined ? '' : String(present)),
  });
  // A plan that was stored before prices existed has no price.
  const presentOf = (name: Limit, kind: 'or none' | 'needed') => plan?.[name] ?? (kind === 'needed' ? 0 : null);
  return postForm(
    visit,
    `${PATH}/${slug}`,
    html`<div class="field-grid inputs">${textField({ ...field('name', plan?.['name'] ?? slug), label: 'Name', maxlength: 100 })}
${LIMITS.map(([name, label, , kind]) =>
  textField({
    ...field(name, presentOf(name, kind)),
    label,
    inputmode: 'numeric',
    ...(kind === 'or none' && { hint: 'Empty: no limit.' }),
  }),
)}</div>
${submitButton('Save')}`,
  );
}

/** The name of a new plan is asked for first, since it is part of the address that the form is sent to. */
const slugForm = (slug: string, error: string | undefined): Html =>
  html`<form method="get" action="${PATH}" class="filters">
${textField({ name: 'new', label: 'Name in addresses and commands', value: slug, error, hint: '1 to 40 of a to z, 0 to 9, - and _.' })}
<button type="submit">Go on</button></form>`;
