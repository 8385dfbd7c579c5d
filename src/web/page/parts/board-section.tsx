import type { BoardSport } from '../../live-answers.ts';
import type { ShownEvent } from '../state/board-state.ts';
import { MARKET_NAMES, MARKETS } from '../state/story-model.ts';
import { EventRow } from './event-row.tsx';

interface Props {
  readonly sport: BoardSport;
  readonly events: readonly ShownEvent[];
}

/** The events of one sport. */
export function BoardSection({ sport, events }: Props) {
  const heading = `sport-${sport.slug}`;
  const leagues = sport.leagues.map(({ name }) => name);
  return (
    <section class="sport" aria-labelledby={heading}>
      <header class="sport-head">
        <div class="sport-name">
          <h2 id={heading}>{sport.name}</h2>
          {leagues.length === 1 && leagues[0] !== sport.name && <p class="sport-league">{leagues[0]}</p>}
        </div>
        {MARKETS.map((market) => (
          <span key={market} class="market-head" aria-hidden="true">
            {MARKET_NAMES[market]}
          </span>
        ))}
      </header>
      <ol class="events">
        {events.map(({ event, marks }) => (
          <EventRow
            key={event.id}
            event={event}
            marks={marks}
            league={leagues.length > 1 ? sport.leagues.find(({ slug }) => slug === event.league)?.name : undefined}
          />
        ))}
      </ol>
    </section>
  );
}
