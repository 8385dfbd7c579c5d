import { dataTable, type Html, html } from '../../layout/html.ts';
import { emptyState } from '../../layout/states.ts';
import { publicTime } from '../../layout/time-tag.ts';
import type { BoardEvent, EventSnapshot, Story } from '../../live/answers/live-page-answers.ts';
import { chartLines } from '../../live/page/view-model/chart-lines.ts';
import { hasEnded } from '../../live/page/view-model/event-phase.ts';
import { shortName } from '../../live/page/view-model/event-sides.ts';
import { formatLine } from '../../live/page/view-model/odds-format.ts';
import { MARKET_NAMES, MARKETS, toStoryModel } from '../../live/page/view-model/story-model.ts';
import { storyRows } from '../../live/page/view-model/story-text.ts';
import { numberCell, numberHeading, panel, textCell, UNKNOWN } from '../panels.ts';

/** What a browser with scripts draws the chart and the slider into, in the place of the tables. */
export const storyTab = (snapshot: EventSnapshot, story: Story, at: string | undefined): Html =>
  html`<div id="story" data-event="${snapshot.event.id}"${at !== undefined && html` data-at="${at}"`}>
${storyTable(snapshot.event, story, at)}${periodTable(snapshot.event)}</div>`;

function storyTable(event: BoardEvent, story: Story, at: string | undefined): Html {
  const until = at === undefined ? Number.POSITIVE_INFINITY : Date.parse(at);
  const market = MARKETS.find((each) => story.lines.some((line) => line.market === each)) ?? 'h2h';
  // A long story has tens of thousands of points, of which the table needs those of one market.
  const lines = story.lines.filter((line) => line.market === market);
  const model = toStoryModel({ ...story, lines }, hasEnded(event.status));
  const chart = chartLines(model, market);
  const [line] = chart.lines;
  const rows = storyRows(model, line?.moments ?? []).filter((row) => row.at <= until);
  if (rows.length === 0) return panel('Line and score', emptyState('Nothing has happened yet.'));
  const note = line && `${MARKET_NAMES[market]} of ${line.bookmaker.name}, ${chart.name}. Newest first.`;
  const table = dataTable(
    'Line and score',
    ['Time', 'Stage', ...event.sides.map((side) => numberHeading(shortName(side))), numberHeading('Line')],
    [...rows].reverse().map(
      ({ at: moment, stage, scores, line: stood }) =>
        html`<tr><th scope="row">${publicTime(new Date(moment).toISOString())}</th>${textCell(stage)}${scores.map(numberCell)}${numberCell(
          stood ? formatLine({ ...stood, outcome: chart.outcome }, market, 'american') : UNKNOWN,
        )}</tr>
`,
    ),
  );
  return panel('Line and score', table, note);
}

/** Each side's score by period. */
function periodTable(event: BoardEvent): Html {
  const { periods } = event;
  if (periods.length === 0) return html``;
  // Tennis scores list the periods already, so there is no separate total.
  const hasTotal = !event.sides.some(({ score }) => score?.includes(' '));
  return panel(
    'Score by period',
    dataTable(
      'Score by period',
      ['Side', ...periods.map(({ period }) => numberHeading(period)), ...(hasTotal ? [numberHeading('Total')] : [])],
      event.sides.map(
        (side, index) =>
          html`<tr><th scope="row">${shortName(side)}</th>${periods.map(({ scores }) => numberCell(scores[index] ?? ''))}${hasTotal && numberCell(side.score ?? '')}</tr>
`,
      ),
    ),
  );
}
