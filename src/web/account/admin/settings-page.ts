import { html } from '../../layout/html.ts';
import { form, submit, textField } from '../fields.ts';
import { creditsText } from '../formats.ts';
import type { Refusal, SignedInVisit, SiteAnswer, SiteRoute } from '../visit.ts';
import type { AdminParts } from './admin-parts.ts';
import { checkForm, MOST } from './form-check.ts';
import { mayChange, staffGet, staffPage, typedOr } from './staff-pages.ts';
import { actOf, staffPost } from './staff-post.ts';

type SettingsParts = Pick<AdminParts, 'billing' | 'securityLog' | 'recordStaffAct'>;

const PATH = '/admin/settings';
const FIELD = 'free_daily_cap';

export function settingsRoutes(parts: SettingsParts): readonly SiteRoute[] {
  return [
    staffGet(PATH, (visit) => settingsPage(parts, visit)),
    staffPost(parts, {
      ...{ path: PATH, access: 'admin' },
      async run(visit) {
        const check = checkForm(visit.form);
        if (!visit.form.has(FIELD)) check.wrong(FIELD, 'This is needed; empty: no limit.');
        const cap = check.numberOrNone(FIELD, 1, MOST);
        check.done();
        await parts.billing.setFreeDailyCap(actOf(visit), cap!);
        return { to: PATH, text: 'The settings are saved.' };
      },
      refused: (visit, refusal) => settingsPage(parts, visit, refusal),
    }),
  ];
}

async function settingsPage({ billing }: SettingsParts, visit: SignedInVisit, refusal?: Refusal): Promise<SiteAnswer> {
  const cap = await billing.freeDailyCap();
  return staffPage(
    visit,
    'Settings',
    html`<section aria-labelledby="free"><h2 id="free">Free tier</h2>
<p>An account on <code>free</code> spends at most ${cap === null ? 'as many credits a day as it has' : `${creditsText(cap)} credits in 24 hours`}. A change is in force within a second.</p>
${
  mayChange(visit) &&
  form(
    visit,
    PATH,
    html`${textField({
      ...{ name: FIELD, label: 'Credits in 24 hours', inputmode: 'numeric', hint: 'Empty: no limit.' },
      value: typedOr(visit, refusal, FIELD, cap === null ? '' : String(cap)),
      error: refusal?.fields[FIELD],
    })}${submit('Save')}`,
  )
}</section>`,
    refusal,
  );
}
