import { findLeague } from '../../../domain/catalogue/catalogue.ts';
import type { EventDetail } from '../../../read-models/rendering/event-schemas.ts';
import { type Html, html } from '../../layout/html.ts';
import { publicTime } from '../../layout/time-tag.ts';
import type { BoardEvent, BoardSide, EventSnapshot } from '../../live/answers/live-page-answers.ts';
import { hasEnded, phaseOf } from '../../live/page/view-model/event-phase.ts';
import { stageText } from '../../live/page/view-model/story-text.ts';

/** The sides, their scores and the stage of the event, as the live page shows them. */
export function eventHead(event: BoardEvent, detail: EventSnapshot['detail']): Html {
  const about = [detail.competition, detail.round, detail.venue, detail.broadcast].filter(Boolean);
  return html`<header class="event-head">
<h1 class="event-name">${event.name}</h1>
<p class="event-about">${publicTime(event.starts_at)}${about.map((text) => ` · ${text}`)}${event.simulated && ' · simulated'}</p>
<div class="result${event.status === 'inprogress' && ' result-live'}">${event.sides.map((side) => bigSide(side, phaseOf(event.status) === 'coming'))}
<p class="result-stage">${stageText(event)}</p></div>
</header>`;
}

/** @param isComing then there is no score, and no dash in its place */
const bigSide = ({ abbreviation, name, score, game_score, is_winner }: BoardSide, isComing: boolean): Html =>
  html`<p class="big-side${is_winner === true && ' side-won'}"><span class="big-abbreviation" aria-hidden="true">${abbreviation}</span><span class="big-name">${name}</span> ${game_score !== null && html`<span class="big-game-score">${game_score} </span>`}<span class="big-score">${score ?? (isComing ? '' : '–')}</span>${is_winner === true && html`<span class="hidden-text"> winner</span>`}</p>
`;

/** What an account can do about the event. Of one that is over nothing is told any more. */
export const eventActs = ({ id, status }: Pick<BoardEvent, 'id' | 'status'>): Html =>
  html`<nav class="acts" aria-label="For you">${!hasEnded(status) && html`<a href="/alerts/new?event=${id}">Alert me of this game</a> `}<a href="/bets?event=${id}">Keep a bet on it</a></nav>`;

/** Links to the league and to both sides, in the order of the event's name. */
export function eventLinks({ league, name, participants = [] }: EventDetail): Html {
  const known = findLeague(league);
  const sides = participants.flatMap(({ team, player }) => {
    if (team?.id != null) return [{ to: `/teams/${team.id}`, name: team.name }];
    return player?.id != null ? [{ to: `/players/${player.id}`, name: player.name }] : [];
  });
  sides.sort((a, b) => name.indexOf(a.name) - name.indexOf(b.name));
  const all = [...(known ? [{ to: `/leagues/${known.slug}`, name: known.abbreviation }] : []), ...sides];
  return html`<nav class="crumbs" aria-label="League and sides">${all.map(({ to, name }) => html`<a href="${to}">${name}</a> `)}</nav>`;
}
