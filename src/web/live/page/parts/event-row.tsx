import type { BoardEvent } from '../../live-answers.ts';
import { eventLinkId } from '../live/keys.ts';
import type { Marks } from '../state/moves.ts';
import { phaseOf } from '../state/order.ts';
import { eventHash } from '../state/route.ts';
import { MARKETS } from '../state/story-model.ts';
import { EventStage } from './event-stage.tsx';
import { MarketCell } from './market-cell.tsx';
import { memo } from './memo.ts';
import { SideScore } from './side-score.tsx';
import { SimulatedMark } from './simulated-mark.tsx';

interface Props {
  readonly event: BoardEvent;
  readonly marks: Marks;
  /** Its sport or league, where the section does not tell. */
  readonly kind: string | undefined;
}

/** One event of the board. The whole row leads to its story. */
export const EventRow = memo(({ event, marks, kind }: Props) => (
  <li class={`event event-${phaseOf(event.status)}`}>
    <EventStage event={event} />
    <h3 class="sides">
      <a id={eventLinkId(event.id)} class="event-link" href={eventHash(event.id)}>
        {event.sides.map(({ role, name, is_winner }, index) => (
          <span key={role} class={is_winner === true ? 'side side-won' : 'side'}>
            {index > 0 && <span class="hidden-text"> – </span>}
            {name}
          </span>
        ))}
      </a>
    </h3>
    <div class="scores">
      {event.sides.map((side, index) => (
        <SideScore key={side.role} side={side} changedAt={marks.scored[index] ?? null} />
      ))}
    </div>
    <Meta event={event} kind={kind} />
    {MARKETS.map((market) => {
      const line = event.lines.find((other) => other.market === market);
      return <MarketCell key={market} market={market} line={line} sides={event.sides} moves={marks.moves} />;
    })}
  </li>
));

function Meta({ event, kind }: { readonly event: BoardEvent; readonly kind: string | undefined }) {
  const book = event.lines[0]?.bookmaker.name;
  const others = event.bookmakers - 1;
  const prices = book === undefined ? 'No prices' : others > 0 ? `${book} and ${others} more` : book;
  return (
    <p class="meta">
      <span class="meta-text">{[kind, prices].filter(Boolean).join(' · ')}</span>
      {event.simulated && (
        <span class="meta-mark">
          {' · '}
          <SimulatedMark />
        </span>
      )}
    </p>
  );
}
