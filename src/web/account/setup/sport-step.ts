import { SPORTS } from '../../../domain/catalogue/catalogue.ts';
import { invalidField } from '../../../domain/primitives/domain-errors.ts';
import { CONNECTORS, type ConnectorName } from '../../../platform/settings/feed-settings.ts';
import type { SettingEdits } from '../../../platform/settings/stored-settings.ts';
import { type Html, html } from '../../layout/html.ts';
import { checkboxField, postForm, radioFields, textField } from '../form-fields.ts';
import { fieldText } from '../form-values.ts';
import { redirect } from '../page-responses.ts';
import type { PageResponse, PageRoute, Refusal, SignedInRequest } from '../page-route.ts';
import { chosenGet, chosenPost, environmentNote, nextStep, readChoice, setupPage, stepButtons } from './setup-frame.ts';
import type { SetupParts } from './setup-parts.ts';

const PATH = '/setup/sport';
const KEY = 'THE_ODDS_API_KEY';
const SPORTS_WITH_LEAGUES = SPORTS.filter(({ leagues }) => leagues.length > 0);
const LEAGUES = SPORTS.flatMap(({ leagues }) => leagues.map(({ slug }) => slug));

/** A connector that is not described is offered by its name. */
const CONNECTOR_TEXTS: Readonly<Partial<Record<ConnectorName, string>>> = {
  espn: 'ESPN: schedules, scores, statistics, injuries, and the odds of one bookmaker. Needs no key',
  mlb: 'MLB: its own scores and box scores. Needs no key',
  nhl: 'NHL: its own scores and box scores. Needs no key',
  kalshi: 'Kalshi: order books of its contracts on games. Needs no key',
  polymarket: 'Polymarket: order books of its contracts on games. Needs no key',
  'action-network': 'Action Network: betting splits, and odds of several bookmakers. Needs no key',
  'the-odds-api': 'The Odds API: odds of many bookmakers. Needs a key',
};
/** The one that most begin with comes first. */
const ORDER: readonly ConnectorName[] = [...CONNECTORS].sort((a, b) => Number(b === 'espn') - Number(a === 'espn'));

/** `/setup/sport`: demo or real feeds, and which leagues. */
export function sportRoutes({ desk }: SetupParts): readonly PageRoute[] {
  async function show(visit: SignedInRequest, refusal?: Refusal): Promise<PageResponse> {
    const { form } = visit;
    const isPosted = visit.method === 'POST';
    const feeds = (desk.setting('FEEDS').text ?? 'demo').split(',').map((one) => one.trim());
    const kind = isPosted
      ? fieldText(form, 'kind')
      : feeds.includes('demo')
        ? 'demo'
        : feeds.includes('none')
          ? 'none'
          : 'real';
    const chosen = isPosted
      ? form.getAll('feed')
      : feeds.filter((one) => (CONNECTORS as readonly string[]).includes(one));
    const without = demoHint(await desk.canRemoveDemo(), desk.isNew);
    const fields = html`${environmentNote(desk, 'FEEDS', 'FEED_LEAGUES', KEY)}
${radioFields(
  'kind',
  'What does it show?',
  [
    {
      value: 'demo',
      label: 'A simulated day of sport',
      hint: 'Every team, game and price is invented, and marked as such. Good for looking around.',
    },
    { value: 'real', label: 'Real sport', hint: `Scores, odds and injuries of providers, as they come.${without}` },
    {
      value: 'none',
      label: 'Nothing by itself',
      hint: `You bring in everything: imports, or feed messages.${without}`,
    },
  ],
  kind,
)}
<fieldset class="for-real"><legend>Where real sport comes from</legend>${ORDER.map((name) =>
      checkboxField({
        name: 'feed',
        value: name,
        label: CONNECTOR_TEXTS[name] ?? name,
        isChecked: (chosen.length === 0 ? ['espn'] : chosen).includes(name),
      }),
    )}${refusal?.fields['feed'] !== undefined && html`<p class="wrong">${refusal.fields['feed']}</p>`}
${textField({
  name: KEY,
  label: 'Key of The Odds API',
  type: 'password',
  autocomplete: 'off',
  error: refusal?.fields[KEY],
  hint: desk.setting(KEY).isSet ? 'A key is set. Empty: it stays.' : 'From the-odds-api.com; only for that feed.',
})}</fieldset>
${leagueFields(visit)}
${stepButtons(PATH)}`;
    return setupPage(PATH, 'What this server shows', postForm(visit, PATH, fields), refusal);
  }

  function leagueFields({ method, form }: SignedInRequest): Html {
    const kept = desk
      .setting('FEED_LEAGUES')
      .text?.split(',')
      .map((one) => one.trim());
    const chosen = new Set<string>(method === 'POST' ? form.getAll('league') : (kept ?? LEAGUES));
    return html`<fieldset class="for-real"><legend>Leagues of the real feeds</legend><div class="leagues">${SPORTS_WITH_LEAGUES.map(
      ({ slug, name, leagues }) =>
        html`<div role="group" aria-labelledby="sport-${slug}"><p id="sport-${slug}" class="group">${name}</p>${leagues.map(
          (league) =>
            checkboxField({
              name: 'league',
              value: league.slug,
              label: league.name,
              isChecked: chosen.has(league.slug),
            }),
        )}</div>`,
    )}</div></fieldset>`;
  }

  async function keep(form: URLSearchParams): Promise<void> {
    const kind = readChoice(form, 'kind', ['demo', 'real', 'none']);
    const changes: SettingEdits = {};
    if (kind !== 'real') changes.FEEDS = kind === 'none' ? 'none' : desk.isNew ? null : 'demo';
    else {
      const feeds = CONNECTORS.filter((name) => form.getAll('feed').includes(name));
      if (feeds.length === 0) throw invalidField('feed', 'Choose at least one of them.');
      const leagues = LEAGUES.filter((slug) => form.getAll('league').includes(slug));
      if (leagues.length === 0) throw invalidField('league', 'Choose at least one league.');
      const key = fieldText(form, KEY);
      const needsKey = feeds.includes('the-odds-api') && key === '' && !desk.setting(KEY).isSet;
      if (needsKey) throw invalidField(KEY, 'The Odds API needs a key.');
      changes.FEEDS = feeds.join(',');
      changes.FEED_LEAGUES = leagues.length === LEAGUES.length ? null : leagues.join(',');
      if (key !== '') changes[KEY] = key;
    }
    const removesDemo = kind !== 'demo' && (await desk.canRemoveDemo());
    desk.change(changes);
    desk.removeDemo(removesDemo);
  }

  return [
    chosenGet(desk, PATH, show),
    chosenPost(
      desk,
      PATH,
      show,
      async ({ form }) => {
        await keep(form);
        return redirect(nextStep(PATH));
      },
      ['feed', 'league'],
    ),
  ];
}

/** What becomes of the demo's games when it is not chosen. */
const demoHint = (isRemovable: boolean, isNew: boolean): string => {
  if (!isNew) return '';
  return isRemovable
    ? ' The simulated games go then, with the key of the demo; you stay the owner.'
    : ' The simulated games stay in this folder, since others have keys or accounts in it: take a new folder (DATA_DIR) to be without them.';
};
