import { dataTable, type Html, html } from '../../layout/html.ts';
import { emptyState } from '../../layout/states.ts';
import type { EventSnapshot } from '../../live/answers/live-page-answers.ts';
import type { EventIntelligence } from '../../live/answers/live-page-intelligence.ts';
import { bestPriceAt } from '../../live/page/view-model/best-prices.ts';
import { type BetRow, betNotes, betRows } from '../../live/page/view-model/bet-rows.ts';
import { phaseOf } from '../../live/page/view-model/event-phase.ts';
import { fairPrice, formatPercent, formatPoints } from '../../live/page/view-model/odds-format.ts';
import { MARKET_NAMES } from '../../live/page/view-model/story-model.ts';
import { numberCell, numberHeading, panel, priceText, UNKNOWN } from '../panels.ts';

/** The fair prices of the market, the server's own forecast, and the reasons. */
export function intelligenceTab({ event, odds }: EventSnapshot, intelligence: EventIntelligence): Html {
  const rows = betRows(intelligence, event.sides);
  // Prices during a game cannot be compared with the fair price before it.
  const isComing = phaseOf(event.status) === 'coming';
  const facts = intelligence.rationale ?? [];
  return html`${panel(
    'Fair price and forecast',
    html`${rows.length > 0 ? betTable(rows, odds, isComing) : emptyState('Nothing can be said of this event yet.')}
${betNotes(intelligence).map((note) => html`<p class="about">${note}</p>`)}`,
    isComing ? undefined : 'As they stood at the start.',
  )}
${facts.length > 0 && panel('What is known of both sides', html`<ul>${facts.map((fact) => html`<li>${fact}</li>`)}</ul>`)}`;
}

/** @param isComing after the start there is no best price */
function betTable(rows: readonly BetRow[], odds: EventSnapshot['odds'], isComing: boolean): Html {
  const best = ({ market, outcome, bet }: BetRow): Html | null => {
    const offer = bestPriceAt(odds, market, outcome, bet.market.line);
    return offer && priceText(offer.price);
  };
  return dataTable(
    'Fair prices and forecasts',
    [
      'Bet',
      ...[...(isComing ? ['Best price'] : []), 'Fair', 'Forecast', 'Likely range', 'Edge', 'Best EV'].map(
        numberHeading,
      ),
    ],
    rows.map((row) => {
      const { bet, market, name, line, whyNoFair, whyNoForecast, whyNoEdge, whyNoEv } = row;
      return html`<tr><th scope="row">${MARKET_NAMES[market]}, ${name}${line !== null && ` ${line}`}</th>${isComing && numberCell(best(row))}${probability(
        bet.fair?.probability ?? null,
        whyNoFair,
      )}${probability(bet.probability, whyNoForecast)}${numberCell(
        bet.interval && `${bet.interval.map((end) => Math.round(100 * end)).join('–')}%`,
      )}${bet.edge === null ? missing(whyNoEdge) : numberCell(formatPoints(bet.edge))}${
        bet.ev ? numberCell(`+${bet.ev.ev_pct.toFixed(1)}%`) : missing(whyNoEv)
      }</tr>
`;
    }),
  );
}

const probability = (value: number | null, why: string): Html =>
  value === null
    ? missing(why)
    : numberCell(html`${formatPercent(value)} <span class="about">${priceText(fairPrice(value))}</span>`);

const missing = (why: string): Html =>
  html`<td class="number" title="${why}"><span aria-hidden="true">${UNKNOWN}</span><span class="hidden-text">${why}</span></td>`;
