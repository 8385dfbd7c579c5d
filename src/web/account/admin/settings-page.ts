import { formatTime } from '../../../domain/primitives/time.ts';
import { type Html, html } from '../../layout/html.ts';
import { postForm, submitButton, textField } from '../form-fields.ts';
import { creditAmount } from '../formats.ts';
import type { PageResponse, PageRoute, Refusal, SignedInRequest } from '../page-route.ts';
import type { AdminParts } from './admin-parts.ts';
import { MAX_WHOLE_NUMBER, readFormFields } from './form-field-reader.ts';
import { mayChange, staffActorOf, staffGet, staffPage, staffPost, typedValueOr } from './staff-page-frame.ts';

type SettingsParts = Pick<AdminParts, 'billing' | 'securityLog' | 'recordStaffAct' | 'backup'>;

const PATH = '/admin/settings';
const FIELD = 'free_daily_cap';

export function settingsRoutes(parts: SettingsParts): readonly PageRoute[] {
  return [
    staffGet(PATH, (visit) => settingsPage(parts, visit)),
    staffPost(parts, {
      path: PATH,
      access: 'admin',
      async run(visit) {
        const check = readFormFields(visit.form);
        if (!visit.form.has(FIELD)) check.addError(FIELD, 'This is needed; empty: no limit.');
        const cap = check.numberOrNull(FIELD, 1, MAX_WHOLE_NUMBER);
        check.throwIfInvalid();
        await parts.billing.setFreeDailyCap(staffActorOf(visit), cap!);
        return { to: PATH, text: 'The settings are saved.' };
      },
      refused: (visit, refusal) => settingsPage(parts, visit, refusal),
    }),
  ];
}

async function settingsPage(
  { billing, backup }: SettingsParts,
  visit: SignedInRequest,
  refusal?: Refusal,
): Promise<PageResponse> {
  const cap = await billing.freeDailyCap();
  return staffPage(
    visit,
    'Settings',
    html`<section aria-labelledby="free"><h2 id="free">Free tier</h2>
<p>An account on <code>free</code> spends at most ${cap === null ? 'as many credits a day as it has' : `${creditAmount(cap)} in 24 hours`}. A change is in force within a second.</p>
${
  mayChange(visit) &&
  postForm(
    visit,
    PATH,
    html`${textField({
      name: FIELD,
      label: 'Credits in 24 hours',
      inputmode: 'numeric',
      hint: 'Empty: no limit.',
      value: typedValueOr(visit, refusal, FIELD, cap === null ? '' : String(cap)),
      error: refusal?.fields[FIELD],
    })}${submitButton('Save')}`,
  )
}</section>
${backup && backupSection(backup())}`,
    refusal,
  );
}

type Backup = ReturnType<NonNullable<AdminParts['backup']>>;

const backupSection = ({ currentAt, lagSeconds, failure, problem, drill }: Backup): Html => html`
<section aria-labelledby="backup"><h2 id="backup">Backup</h2>
<p>${problem ?? 'The backup keeps up.'} It last held everything
${currentAt === undefined ? 'not since the start' : formatTime(currentAt)}; what is new has waited for
${Math.round(lagSeconds)} seconds.${failure !== undefined && html` The last try failed: ${failure}`}</p>
<p>${drill === undefined ? 'It was not restored to try it yet.' : drillText(drill)}</p></section>`;

const drillText = ({ at, problem }: NonNullable<Backup['drill']>): string =>
  problem === null
    ? `It was last restored to try it ${formatTime(at)}, and was whole.`
    : `It was last restored to try it ${formatTime(at)}, and that failed: ${problem}`;
