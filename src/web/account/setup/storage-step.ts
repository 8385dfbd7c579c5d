import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { invalidField } from '../../../domain/primitives/domain-errors.ts';
import { parseBackupUrl } from '../../../platform/settings/backup-settings.ts';
import type { SettingEdits } from '../../../platform/settings/stored-settings.ts';
import { dataTable, type Html, html } from '../../layout/html.ts';
import { postForm, radioFields, selectField, textField } from '../form-fields.ts';
import { fieldText } from '../form-values.ts';
import { redirect, successFlash } from '../page-responses.ts';
import type { PageResponse, PageRoute, Refusal, SignedInRequest } from '../page-route.ts';
import {
  chosenGet,
  chosenPost,
  environmentNote,
  nextStep,
  readChoice,
  setupPage,
  shownText,
  stepButtons,
} from './setup-frame.ts';
import type { SetupParts } from './setup-parts.ts';

const PATH = '/setup/storage';

const KEPT: readonly (readonly [string, string])[] = [
  ['', 'For ever, in the log itself'],
  ['365d', 'A year in the log, then in the archive'],
  ['90d', '90 days in the log, then in the archive'],
  ['30d', '30 days in the log, then in the archive'],
];

/** What prices take, as measured (docs/operate.md, "Keeping less"). */
const COSTS: readonly (readonly [string, string, string])[] = [
  ['A day of 100 games, 10 bookmakers, 1,000,000 prices', '0.23 GB', '0.08 GB'],
  ['A season of one league, 2,000,000 prices', '0.5 GB', '0.2 GB'],
  ['A year of 10,000,000 prices a day', '850 GB', '340 GB'],
];

/** `/setup/storage`: how long prices are kept, and where backups go. */
export function storageRoutes({ desk }: SetupParts): readonly PageRoute[] {
  async function show(visit: SignedInRequest, refusal?: Refusal): Promise<PageResponse> {
    const days = shownText(visit, 'RETAIN_ODDS', desk.setting('RETAIN_ODDS').text);
    const options = KEPT.some(([value]) => value === days) ? KEPT : [...KEPT, [days, `${days}, as it is now`] as const];
    const prices = html`<h2>Prices</h2>
${environmentNote(desk, 'RETAIN_ODDS')}
${selectField({
  name: 'RETAIN_ODDS',
  label: 'How long are all prices kept in the log?',
  options,
  value: days,
  error: refusal?.fields['RETAIN_ODDS'],
  hint: 'The archive is a compressed file beside the log. Nothing is lost: every answer reads it as before.',
})}
${dataTable(
  'What prices take on disk',
  ['Prices', ['Log', 'number'], ['Archived', 'number']],
  COSTS.map(
    ([load, log, archive]) =>
      html`<tr><td class="load">${load}</td><td class="number">${log}</td><td class="number">${archive}</td></tr>`,
  ),
)}`;
    const fields = html`${prices}${backupFields(visit, refusal)}${stepButtons(PATH, 'Try it, save and go on')}`;
    return setupPage(PATH, 'What this server keeps', postForm(visit, PATH, fields), refusal);
  }

  function backupFields(visit: SignedInRequest, refusal: Refusal | undefined): Html {
    const now = desk.setting('BACKUP_URL').text;
    const parsed = now === undefined ? undefined : parseBackupUrl(now);
    const where = shownText(visit, 'where', parsed?.kind ?? 'none');
    const folder = parsed?.kind === 'folder' ? parsed.root : '';
    const secret = (name: 'AWS_ACCESS_KEY_ID' | 'AWS_SECRET_ACCESS_KEY', label: string) =>
      textField({
        name,
        label,
        type: 'password',
        autocomplete: 'off',
        error: refusal?.fields[name],
        ...(desk.setting(name).isSet && { hint: 'It is set. Empty: it stays.' }),
      });
    return html`<h2>Backups</h2>
${environmentNote(desk, 'BACKUP_URL', 'BACKUP_KEY', 'BACKUP_S3_ENDPOINT', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_REGION')}
<p>What is new is copied there every few seconds, and any moment of the last 30 days can be restored. Before you go on, a
file is written there, read and removed, to try it.</p>
${refusal?.fields['backup'] !== undefined && html`<p class="wrong" id="backup-error">${refusal.fields['backup']}</p>`}
${radioFields(
  'where',
  'Where do backups go?',
  [
    { value: 'none', label: 'Nowhere' },
    { value: 'folder', label: 'A folder', hint: 'On another disk, or of another machine.' },
    { value: 's3', label: 'A bucket', hint: 'Of AWS, or of a server that speaks as S3 does.' },
  ],
  where,
)}
<fieldset class="for-folder"><legend>The folder</legend>
${textField({ name: 'folder', label: 'Path', value: shownText(visit, 'folder', folder), error: refusal?.fields['folder'], hint: 'A whole path, such as /mnt/backup/ledgerline. It is made if it is missing.' })}</fieldset>
<fieldset class="for-bucket"><legend>The bucket</legend>
${textField({ name: 'bucket', label: 'Address', value: shownText(visit, 'bucket', parsed?.kind === 's3' ? now : ''), error: refusal?.fields['bucket'], hint: 'As s3://bucket/prefix.' })}
${secret('AWS_ACCESS_KEY_ID', 'Access key')}
${secret('AWS_SECRET_ACCESS_KEY', 'Secret key')}
${textField({ name: 'AWS_REGION', label: 'Region (optional)', value: shownText(visit, 'AWS_REGION', desk.setting('AWS_REGION').text), error: refusal?.fields['AWS_REGION'] })}
${textField({ name: 'BACKUP_S3_ENDPOINT', label: 'Server (optional)', value: shownText(visit, 'BACKUP_S3_ENDPOINT', desk.setting('BACKUP_S3_ENDPOINT').text), error: refusal?.fields['BACKUP_S3_ENDPOINT'], hint: 'Empty: AWS. Else its address, such as https://s3.example.' })}</fieldset>`;
  }

  function readBackup(form: URLSearchParams): SettingEdits {
    const where = readChoice(form, 'where', ['none', 'folder', 's3']);
    if (where === 'none') return { BACKUP_URL: null };
    const changes: SettingEdits = {};
    if (where === 'folder') {
      const path = fieldText(form, 'folder');
      if (!isAbsolute(path)) throw invalidField('folder', 'Write a whole path, which begins at the root.');
      changes.BACKUP_URL = pathToFileURL(path).href;
    } else {
      const address = fieldText(form, 'bucket');
      if (parseBackupUrl(address)?.kind !== 's3') throw invalidField('bucket', 'Write it as s3://bucket/prefix.');
      changes.BACKUP_URL = address;
      for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const) {
        if (fieldText(form, name) !== '') changes[name] = fieldText(form, name);
        else if (!desk.setting(name).isSet) throw invalidField(name, 'A bucket needs it.');
      }
      for (const name of ['AWS_REGION', 'BACKUP_S3_ENDPOINT'] as const) changes[name] = fieldText(form, name) || null;
    }
    if (desk.needsBackupKey && !desk.setting('BACKUP_KEY').isSet) changes.BACKUP_KEY = desk.newBackupKey();
    return changes;
  }

  return [
    chosenGet(desk, PATH, show),
    chosenPost(desk, PATH, show, async (visit) => {
      const changes = { RETAIN_ODDS: fieldText(visit.form, 'RETAIN_ODDS') || null, ...readBackup(visit.form) };
      await desk.testBackup(changes);
      desk.change(changes);
      const wasTried = changes.BACKUP_URL !== null;
      const text = 'The backup was tried: a file was written there, read and removed.';
      return redirect(nextStep(PATH), wasTried ? successFlash(text) : undefined);
    }),
  ];
}
