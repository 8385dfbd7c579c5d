import { Component, type ComponentType, h, type VNode } from 'preact';
import type { BoardEvent, BoardSide } from '../../../answers/live-page-answers.ts';
import { eventLinkId } from '../../stores/keyboard.ts';
import { phaseOf } from '../../view-model/event-phase.ts';
import type { Highlights } from '../../view-model/highlights.ts';
import { shortPeriod } from '../../view-model/period-short.ts';
import { eventHash } from '../../view-model/route.ts';
import { STATUS_WORDS } from '../../view-model/status-words.ts';
import { MARKETS } from '../../view-model/story-model.ts';
import { startTime } from '../../view-model/times.ts';
import { SimulatedLabel } from '../shared/simulated-mark.tsx';
import { Time } from '../shared/time.tsx';
import { MarketCell } from './market-cell.tsx';
import { StarMenu } from './star-menu.tsx';

interface EventRowProps {
  readonly event: BoardEvent;
  readonly highlights: Highlights;
  /** Its league in short, if the section does not name it. */
  readonly kind: string | undefined;
  readonly league: string;
}

/** One event of the board. The whole row links to its story. */
export const EventRow = memo(({ event, highlights, kind, league }: EventRowProps) => (
  <li class={`event event-${phaseOf(event.status)}`}>
    <EventStage event={event} />
    <StarMenu event={event} league={league} />
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
        <SideScore key={side.role} side={side} changedAt={highlights.scoreChangedAt[index] ?? null} />
      ))}
    </div>
    <Meta event={event} kind={kind} />
    {MARKETS.map((market) => {
      const line = event.lines.find((other) => other.market === market);
      return <MarketCell key={market} market={market} line={line} sides={event.sides} moves={highlights.moves} />;
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
          <SimulatedLabel />
        </span>
      )}
    </p>
  );
}

/** The stage of an event: period and clock while it is live, the start before. */
function EventStage({ event }: { readonly event: BoardEvent }) {
  const { status, period_label, clock, starts_at } = event;
  if (status === 'inprogress') {
    return (
      <p class="stage stage-live">
        <span class="stage-name">
          <span class="live-dot" aria-hidden="true" />
          <span class="hidden-text">Live: </span>
          <StageName label={period_label ?? 'Live'} />
        </span>
        <span class="stage-more">{clock}</span>
      </p>
    );
  }
  const start = <Time at={starts_at} write={() => startTime(starts_at)} />;
  if (status === 'scheduled') {
    return (
      <p class="stage">
        <span class="stage-name">{start}</span>
        <span class="stage-more" />
      </p>
    );
  }
  return (
    <p class={`stage stage-${phaseOf(status)}`}>
      <span class="stage-name">{STATUS_WORDS[status]}</span>
      <span class="stage-more">{status === 'suspended' ? [period_label, clock].filter(Boolean).join(' ') : start}</span>
    </p>
  );
}

/** Longer ones do not fit beside the names. */
const MAX_LABEL = 11;

/** A period; in short where there is little room. */
function StageName({ label }: { readonly label: string }) {
  const short = shortPeriod(label);
  if (short === label) return <span class="stage-label">{label}</span>;
  return (
    <>
      <span class={label.length > MAX_LABEL ? 'hidden-text' : 'stage-long'}>{label}</span>
      <span class={label.length > MAX_LABEL ? undefined : 'stage-short'} aria-hidden="true">
        {short}
      </span>
    </>
  );
}

interface SideScoreProps {
  readonly side: BoardSide;
  /** When the score last changed, while the change is highlighted. */
  readonly changedAt: number | null;
}

/** One side's score; a new one lights up for a moment. */
function SideScore({ side, changedAt }: SideScoreProps) {
  const won = side.is_winner === true;
  return (
    <span class={won ? 'side-score side-won' : 'side-score'}>
      {side.game_score !== null && <span class="game-score">{side.game_score}</span>}
      {side.score !== null && <span class="hidden-text">{side.name} </span>}
      <span key={changedAt ?? 'still'} class={changedAt === null ? 'score' : 'score score-changed'}>
        {side.score ?? ''}
      </span>
      <span class="won-mark" title={won ? 'Winner' : undefined}>
        {won && (
          <>
            <svg viewBox="0 0 8 10" width="7" height="9" aria-hidden="true">
              <path d="M8 0v10L0 5z" />
            </svg>
            <span class="hidden-text"> winner</span>
          </>
        )}
      </span>
    </span>
  );
}

/** Renders a component again only if one of its properties has changed. */
function memo<P extends object>(Inner: ComponentType<P>): ComponentType<P> {
  return class Memo extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      // All rows are compared at each change: nothing is made that would have to be collected.
      const now = this.props as Readonly<P>;
      for (const name in next) if (now[name] !== next[name]) return true;
      for (const name in now) if (!(name in next)) return true;
      return false;
    }
    override render(): VNode {
      return h(Inner as ComponentType<object>, this.props);
    }
  };
}
