import { SPORTS } from '../../../domain/catalogue/catalogue.ts';
import { type Html, html } from '../../layout/html.ts';
import { searchField } from '../../layout/search-field.ts';
import { emptyState } from '../../layout/states.ts';
import { publicTime } from '../../layout/time-tag.ts';
import { leagueMatch, type Match, type Matches } from './find-matches.ts';

/** What a text may mean, by kind. Without a text, all leagues. */
export const searchPage = (text: string, found: Matches | undefined): Html => html`<h1>Search</h1>
${searchField('search', text, text === '')}
${found ? results(text, found) : allLeagues()}`;

const allLeagues = (): Html =>
  html`<p class="lead">Look for an event, a team, a player or a league by its name, or by a part of it; and for a game by both sides, with “at” or “vs” between them.</p>
${section('All leagues', SPORTS.flatMap(({ leagues }) => leagues).map(leagueMatch))}`;

function results(text: string, { leagues, teams, players, coming, past, isNear }: Matches): Html {
  const sections: readonly (readonly [string, readonly Match[]])[] = [
    ['Leagues', leagues],
    ['Teams', teams],
    ['Players', players],
    ['Coming events', coming],
    ['Past events', past],
  ];
  const some = sections.filter(([, matches]) => matches.length > 0);
  if (some.length > 0) {
    return html`${isNear && html`<p>Nothing here is called “${text}”. This is called almost so:</p>`}
${some.map(([name, matches]) => section(name, matches))}`;
  }
  return html`${emptyState(`Nothing here is called “${text}”.`)}
<p>Try a part of the name, or two teams with “at” between them. <a href="/search">All leagues</a></p>`;
}

const section = (name: string, matches: readonly Match[]): Html => html`<section><h2>${name}</h2>
<ul class="matches">${matches.map(
  ({ to, name: text, about, startsAt }) =>
    html`<li><a href="${to}">${text}</a> <span class="about">${startsAt !== undefined && html`${publicTime(startsAt)} · `}${about}</span></li>
`,
)}</ul></section>`;

const KIND_WORDS: Readonly<Record<Match['kind'], string>> = {
  league: 'League',
  team: 'Team',
  player: 'Player',
  event: 'Event',
};

/** So many fit below a field; what comes next stands before what is over. */
const MAX_SUGGESTIONS = 10;

/** The options of the list below a search field. */
export const suggestionOptions = ({ leagues, teams, players, coming, past }: Matches): Html =>
  html`${[...leagues, ...teams, ...players, ...coming, ...past]
    .slice(0, MAX_SUGGESTIONS)
    .map(
      ({ kind, to, name, about, startsAt }) =>
        html`<li role="option" data-to="${to}">${name}<span class="suggestion-about">${[KIND_WORDS[kind], startsAt?.slice(0, 10), about].filter(Boolean).join(' · ')}</span></li>`,
    )}`;
