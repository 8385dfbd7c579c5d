import { commandText } from '../../../platform/command-text.ts';
import type { VariableName } from '../../../platform/settings/variables.ts';
import { codeBlock, type Html, html } from '../../layout/html.ts';
import { scriptAsset } from '../../layout/page-assets.ts';
import { postButton } from '../form-fields.ts';
import { pageResponse, redirect, successFlash } from '../page-responses.ts';
import type { PageResponse, PageRoute, SignedInRequest } from '../page-route.ts';
import { chosenGet, chosenPost, setupPage } from './setup-frame.ts';
import type { SetupParts } from './setup-parts.ts';

const PATH = '/setup/summary';
const RESTART = '/setup/restart';
/** Without scripts the browser looks again after so many seconds. */
const LOOK_AGAIN_SECONDS = 10;

/** The settings of the summary, by what they decide. */
const ROWS: readonly (readonly [string, readonly VariableName[]])[] = [
  ['Sport', ['FEEDS', 'FEED_LEAGUES', 'THE_ODDS_API_KEY']],
  ['Prices', ['RETAIN_ODDS']],
  [
    'Backups',
    ['BACKUP_URL', 'BACKUP_KEY', 'BACKUP_S3_ENDPOINT', 'AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
  ],
  ['Mail', ['SMTP_URL', 'MAIL_FROM']],
  ['People', ['REGISTRATION']],
];
const DEFAULTS: Readonly<Record<string, string>> = {
  Sport: 'a simulated day of sport while nothing else has fed the folder',
  Prices: 'all in the log, for ever',
  Backups: 'none',
  Mail: 'each mail is a file in the data folder',
  People: 'everybody who reaches this server may register',
};

/** Goes on as soon as the server answers again. */
const RESTART_SCRIPT = `'use strict';
const next = document.getElementById('after-restart');
if (next) {
  let wasGone = false;
  let looks = 0;
  const look = async () => {
    looks += 1;
    try {
      const answer = await fetch('/readyz', { cache: 'no-store' });
      if ((wasGone || looks > 8) && answer.ok) return location.replace(next.href);
      if (!answer.ok) wasGone = true;
    } catch {
      wasGone = true;
    }
    setTimeout(look, 500);
  };
  setTimeout(look, 500);
}
`;
export const SETUP_ASSETS = { script: scriptAsset('/site/assets/setup', RESTART_SCRIPT) } as const;

/** `/setup/summary`: what was chosen, where it is kept, and what to do next. */
export function summaryRoutes({ desk }: SetupParts): readonly PageRoute[] {
  function value(name: VariableName): Html {
    const { text, source } = desk.setting(name);
    const hidden =
      name === 'BACKUP_KEY' && desk.backupKey() !== undefined ? 'set, and shown below' : 'set, and not shown';
    const shown = text === undefined ? hidden : name === 'FEED_LEAGUES' ? text.replaceAll(',', ', ') : text;
    return html`<p><code>${name}</code> ${shown}${source === 'environment' && ' (by the environment)'}</p>`;
  }

  async function show(visit: SignedInRequest): Promise<PageResponse> {
    const waiting = desk.waiting();
    const rows = ROWS.map(([title, names]) => {
      const set = names.filter((name) => desk.setting(name).isSet);
      return html`<dt>${title}</dt><dd>${set.length > 0 ? set.map(value) : DEFAULTS[title]!}</dd>`;
    });
    const key = desk.backupKey();
    const restart = html`<h2>Start again</h2>
<p>The server still runs with its former settings: it has to start again for ${waiting.map((name, index) => html`${index > 0 && ', '}<code>${name}</code>`)}. That takes a few seconds.${desk.removesDemo && ' The simulated games go.'}</p>
${postButton(visit, RESTART, 'Start again now')}
<p class="facts">Or stop it and start it yourself, whenever you like.</p>`;
    const done = html`<h2>Done</h2>
<p>Everything that you chose is in force.</p>
${postButton(visit, PATH, 'Finish, and open the live page')}
<p class="facts">The setup then closes. It closes by itself an hour after it began.</p>`;
    return setupPage(
      PATH,
      'What you chose',
      html`<dl>${rows}</dl>
<p class="facts">Kept in <code>${desk.file}</code>, which only the server’s user can read. The environment wins over it.</p>
${key !== undefined && keySection(key)}
${waiting.length > 0 || desk.removesDemo ? restart : done}
<h2>What to do next</h2>
<ul><li><a href="/api-keys">Make an API key</a>, and try it in the <a href="/playground">playground</a>.</li>
<li><a href="/docs/operate">Read how the server is operated</a>; <code>${commandText('settings list')}</code> shows the
settings, and <code>${commandText('settings set NAME VALUE')}</code> changes one, from now on.</li>
<li><a href="/admin">Look after the server</a>: its feeds, users and plans.</li></ul>`,
    );
  }

  return [
    chosenGet(desk, PATH, show),
    chosenPost(desk, PATH, show, async () => {
      desk.finish();
      return redirect('/', successFlash('The setup is finished.'));
    }),
    chosenPost(desk, RESTART, show, async () => {
      desk.restart();
      return pageResponse(
        'Starting again',
        html`<p role="status">The server starts again with your settings. This page goes on by itself.</p>
<p><a id="after-restart" class="button" href="${PATH}">Go on</a></p>`,
        { headers: [['Refresh', `${LOOK_AGAIN_SECONDS}; url=${PATH}`]], scripts: [SETUP_ASSETS.script.path] },
      );
    }),
  ];
}

const keySection = (key: string): Html => html`<h2>Note the key of the backup</h2>
<p>Keep it apart from this machine. Without it nothing can be restored.</p>
<div class="secret">${codeBlock(key, 'The key of the backup')}</div>`;
