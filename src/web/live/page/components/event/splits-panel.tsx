import type { EventSnapshot } from '../../../answers/live-page-answers.ts';
import { capitalized } from '../../view-model/capitalized.ts';
import { homeSideIndex, shortName } from '../../view-model/event-sides.ts';
import { dayAndClock } from '../../view-model/times.ts';
import { Panel } from '../shared/panel.tsx';
import { Time } from '../shared/time.tsx';

type Splits = NonNullable<EventSnapshot['splits']>;
type Side = Splits['markets'][number]['sides'][number];

/** How the public's bets and money are divided. */
export function SplitsPanel({ moment }: { readonly moment: EventSnapshot | null }) {
  if (!moment?.splits) return null;
  const { splits, event } = moment;
  const leading = homeSideIndex(event.sides);
  // Splits use home and away in every sport.
  const positions: Readonly<Record<string, number>> = { home: leading, away: 1 - leading };
  const nameOf = (side: string) => {
    const found = event.sides[positions[side] ?? -1];
    return found ? shortName(found) : capitalized(side);
  };
  return (
    <Panel
      name="Betting splits"
      note={
        <>
          before the start, <Time at={splits.captured_at} write={dayAndClock} />
        </>
      }
    >
      <table class="splits">
        <thead>
          <tr>
            <th scope="col" class="splits-market">
              Market
            </th>
            <th scope="col">Share of bets</th>
            <th scope="col">Share of money</th>
          </tr>
        </thead>
        <tbody>
          {splits.markets.map(({ market, sides }) => {
            const ordered = [...sides].sort((a, b) => (positions[a.side] ?? 0) - (positions[b.side] ?? 0));
            return (
              <tr key={market}>
                <th scope="row">{capitalized(market)}</th>
                <td>
                  <Shares sides={ordered} of={({ bets_pct }) => bets_pct} nameOf={nameOf} />
                </td>
                <td>
                  <Shares sides={ordered} of={({ handle_pct }) => handle_pct} nameOf={nameOf} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Panel>
  );
}

interface SharesProps {
  readonly sides: readonly Side[];
  readonly of: (side: Side) => number;
  readonly nameOf: (side: string) => string;
}

/** Two shares as one bar, with names and figures above it. */
function Shares({ sides, of, nameOf }: SharesProps) {
  const [first, second] = sides;
  // Home and over have the same colour, here and in the chart.
  const isLeading = second === undefined || homeSideIndex([{ role: first?.side ?? '' }, { role: second.side }]) === 0;
  return (
    <div class="shares">
      <p class="shares-text">
        {sides.map((side) => (
          <span key={side.side}>
            {nameOf(side.side)} <b>{of(side)}%</b>
          </span>
        ))}
      </p>
      <svg class="shares-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect class={isLeading ? 'shares-second' : 'shares-first'} width="100" height="6" />
        {first && <rect class={isLeading ? 'shares-first' : 'shares-second'} width={of(first)} height="6" />}
      </svg>
    </div>
  );
}
