import type { ComponentChildren } from 'preact';
import type { EventSnapshot } from '../../../answers/live-page-answers.ts';
import {
  eventIntelligence,
  eventProbabilities,
  eventSnapshot,
  liveEvent,
  selectedMoment,
} from '../../stores/event-store.ts';
import { oddsFormat } from '../../stores/preferences.ts';
import { bestPriceAt } from '../../view-model/best-prices.ts';
import { type BetRow, betNotes, betRows } from '../../view-model/bet-rows.ts';
import { phaseOf } from '../../view-model/event-phase.ts';
import { fairPrice, formatPercent, formatPoints, formatPrice } from '../../view-model/odds-format.ts';
import { toProbabilityLines } from '../../view-model/probability-lines.ts';
import { MARKET_NAMES, MARKETS } from '../../view-model/story-model.ts';
import { Panel } from '../shared/panel.tsx';
import { Offer } from './offer.tsx';
import { ProbabilityChart } from './probability-chart.tsx';

/** The fair prices of the market, the server's own forecast, and the reasons. */
export function BetValuePanel() {
  const { value } = eventIntelligence;
  const event = eventSnapshot.value?.event ?? liveEvent.value;
  if (!value || !event) return null;
  const rows = betRows(value, event.sides);
  const lines = toProbabilityLines(eventProbabilities.value);
  // Prices during a game cannot be compared with the fair price before it.
  const isComing = phaseOf(event.status) === 'coming';
  const odds = isComing ? (eventSnapshot.value?.odds ?? []) : [];
  return (
    <Panel name="Fair price and forecast" note={isComing ? null : 'as they stood at the start'}>
      {rows.length > 0 && <BetValueTable rows={rows} odds={odds} bookmakers={value.bookmakers} />}
      {betNotes(value).map((note) => (
        <p key={note} class="worth-note">
          {note}
        </p>
      ))}
      {lines && <ProbabilityChart lines={lines} sides={event.sides} seeking={selectedMoment.value} />}
      {value.rationale !== null && (
        <ul class="rationale" aria-label="What is known of both sides">
          {value.rationale.map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

interface Props {
  readonly rows: readonly BetRow[];
  /** Present prices; empty if they cannot be compared with the fair price. */
  readonly odds: EventSnapshot['odds'];
  readonly bookmakers: Readonly<Record<string, string>>;
}

type Column = readonly [name: string, cell: (row: BetRow) => ComponentChildren];

/** Each bet at its main line: the best price of all bookmakers, the fair price, and the forecast. */
function BetValueTable({ rows, odds, bookmakers }: Props) {
  const names = { ...bookmakers, ...Object.fromEntries(odds.map(({ bookmaker: { slug, name } }) => [slug, name])) };
  const columns: readonly Column[] = [
    ...(odds.length > 0
      ? [['Best price', (row: BetRow) => <BestPrice row={row} odds={odds} names={names} />] as const]
      : []),
    ['Fair', ({ bet, whyNoFair }) => <Probability of={bet.fair?.probability ?? null} why={whyNoFair} />],
    [
      'Forecast',
      ({ bet, whyNoForecast }) => <Probability of={bet.probability} between={bet.interval} why={whyNoForecast} />,
    ],
    ...(rows.some(({ bet }) => bet.probability !== null)
      ? [['Edge', ({ bet, whyNoEdge }: BetRow) => <Edge bet={bet} why={whyNoEdge} />] as const]
      : []),
    ...(rows.some(({ bet }) => bet.ev !== null)
      ? [['Best EV', (row: BetRow) => <ExpectedValue row={row} names={names} />] as const]
      : []),
  ];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="scrolls" aria-label="Fair prices and forecasts, table" tabIndex={0}>
      <table class="figures lines">
        <thead>
          <tr>
            <th scope="col">Bet</th>
            {columns.map(([name]) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        {MARKETS.map((market) => {
          const own = rows.filter((row) => row.market === market);
          if (own.length === 0) return null;
          return (
            <tbody key={market}>
              <tr>
                <th scope="rowgroup" colSpan={columns.length + 1} class="lines-group">
                  {MARKET_NAMES[market]}
                </th>
              </tr>
              {own.map((row) => (
                <tr key={row.outcome}>
                  <th scope="row">
                    {row.name} {row.line !== null && <b class="line-point">{row.line}</b>}
                  </th>
                  {columns.map(([name, cell]) => (
                    <td key={name} class="offer">
                      {cell(row)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          );
        })}
      </table>
    </section>
  );
}

type Names = Readonly<Record<string, string>>;

function BestPrice({
  row,
  odds,
  names,
}: {
  readonly row: BetRow;
  readonly odds: Props['odds'];
  readonly names: Names;
}) {
  const offer = bestPriceAt(odds, row.market, row.outcome, row.bet.market.line);
  return offer ? <Offer offer={offer} bookmakers={names} /> : <Missing why="No bookmaker offers this line." />;
}

interface ProbabilityProps {
  readonly of: number | null;
  readonly between?: readonly number[] | null;
  readonly why: string;
}

function Probability({ of, between, why }: ProbabilityProps) {
  if (of === null) return <Missing why={why} />;
  return (
    <>
      <span class="price">{formatPrice(fairPrice(of), oddsFormat.value)}</span>
      <span class="offer-book">{formatPercent(of)}</span>
      {between && <span class="offer-book">{between.map((end) => Math.round(100 * end)).join('–')}%</span>}
    </>
  );
}

function ExpectedValue({ row: { bet, whyNoEv }, names }: { readonly row: BetRow; readonly names: Names }) {
  if (!bet.ev) return <Missing why={whyNoEv} />;
  return (
    <>
      <span class="price">+{bet.ev.ev_pct.toFixed(1)}%</span>
      <span class="offer-book">{names[bet.ev.book] ?? bet.ev.book}</span>
      <span class="offer-book">{formatPrice(bet.ev.price, oddsFormat.value)}</span>
    </>
  );
}

function Edge({ bet: { edge, tier }, why }: { readonly bet: BetRow['bet']; readonly why: string }) {
  if (edge === null) return <span class="offer-words">{why}</span>;
  return (
    <>
      <span class="price">{formatPoints(edge)}</span>
      <span class="offer-book">{tier?.replace('_', ' ')}</span>
    </>
  );
}

const Missing = ({ why }: { readonly why: string }): ComponentChildren => (
  <span title={why}>
    <span aria-hidden="true">–</span>
    <span class="hidden-text">{why}</span>
  </span>
);
