import type { PlayerBox, Statistics } from '../../../read-models/rendering/statistics/statistics-schema.ts';
import { dataTable, type Html, html } from '../../layout/html.ts';
import { emptyState } from '../../layout/states.ts';
import type { BoardEvent, EventStatistics, SideStatistics } from '../../live/answers/live-page-answers.ts';
import { homeSideIndex, shortName } from '../../live/page/view-model/event-sides.ts';
import { meetingScores, rankOf, rateRows, recordOf, statisticsOf } from '../../live/page/view-model/side-statistics.ts';
import { rateWords, statisticWords } from '../../live/page/view-model/statistic-words.ts';
import { numberCell, numberHeading, panel, UNKNOWN } from '../panels.ts';

type SidePair = readonly [SideStatistics, SideStatistics];

/** What both sides did before the event, and the box score of the players. */
export function statisticsTab({ sides }: BoardEvent, statistics: Statistics): Html {
  const both = statisticsOf(statistics as EventStatistics, sides);
  const boxes = playerBoxes(sides, statistics.player_box);
  if (!both)
    return html`${panel('Before this event', emptyState('Nothing is known of earlier games of both sides.'))}${boxes}`;
  return html`${panel('Before this event', summary(both, sides), 'As it was known before the start.')}
${meetings(both[0], sides)}${rates(both, sides)}${boxes}`;
}

const sideHeadings = (sides: BoardEvent['sides']) => sides.map((side) => numberHeading(shortName(side)));

function summary(both: SidePair, sides: BoardEvent['sides']): Html {
  const rows: readonly (readonly [string, (side: SideStatistics) => string | number | null])[] = [
    ['Form, newest first', ({ recent_form: { results } }) => results.join(' ') || null],
    ['Record', recordOf],
    ['Rank', rankOf],
    ['Days of rest', ({ rest_days }) => rest_days],
  ];
  return dataTable(
    'Before this event',
    ['What', ...sideHeadings(sides)],
    rows.map(
      ([name, value]) => html`<tr><th scope="row">${name}</th>${both.map((side) => numberCell(value(side)))}</tr>
`,
    ),
  );
}

function meetings(first: SideStatistics, sides: BoardEvent['sides']): Html {
  const scores = meetingScores(first, homeSideIndex(sides) === 1);
  if (scores.length === 0) return html``;
  return panel(
    'Last meetings',
    html`<p>${sides.map(shortName).join(' and ')}, newest first: ${scores
      .map(({ scores: pair, surface }) => [pair.join('–'), surface?.replaceAll('_', ' ')].filter(Boolean).join(' '))
      .join(', ')}</p>`,
  );
}

function rates(both: SidePair, sides: BoardEvent['sides']): Html {
  const rows = rateRows(both);
  if (rows.length === 0) return html``;
  const columns = both.flatMap((side, index) => [
    `${shortName(sides[index]!)}, season (${side.rates_season.games})`,
    `${shortName(sides[index]!)}, last 5`,
  ]);
  const table = dataTable(
    'Averages per game',
    ['Per game', ...columns.map(numberHeading)],
    rows.map(
      ({ field, values }) =>
        html`<tr><th scope="row">${rateWords(field)}</th>${values.map((value) => numberCell(value === null ? UNKNOWN : round(value)))}</tr>
`,
    ),
  );
  return panel('Averages per game', table);
}

const round = (value: number): string => String(Math.round(100 * value) / 100);

function playerBoxes(sides: BoardEvent['sides'], box: PlayerBox | undefined): Html {
  if (!box?.available) return html``;
  return html`${sides.map((side) => boxTable(side.name, side.role === 'home' ? box.home : box.away, box.final))}`;
}

function boxTable(side: string, players: PlayerBox['home'], isFinal: boolean): Html {
  const played = players.filter(({ dnp, stats }) => !dnp && Object.keys(stats).length > 0);
  const fields = [...new Set(played.flatMap(({ stats }) => Object.keys(stats)))];
  if (played.length === 0 || fields.length === 0) return html``;
  const table = dataTable(
    `Box score of ${side}`,
    ['Player', ...fields.map((field) => numberHeading(statisticWords(field)))],
    played.map(
      ({ name, player_id, stats }) =>
        html`<tr><th scope="row">${playerLink(name, player_id)}</th>${fields.map((field) => numberCell(stats[field] ?? ''))}</tr>
`,
    ),
  );
  return panel(`${side}, box score`, table, isFinal ? undefined : 'Not final yet.');
}

export const playerLink = (name: string, id: number | null): Html =>
  id === null ? html`${name}` : html`<a href="/players/${id}">${name}</a>`;
