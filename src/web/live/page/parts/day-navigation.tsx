import { boardState } from '../live/board-store.ts';
import { boardHash } from '../state/route.ts';
import { dayInWords } from '../state/times.ts';

/** The day that is shown, and the ways to those beside it. */
export function DayNavigation() {
  const { board } = boardState.value;
  if (!board) return null;
  const { weekday, day } = dayInWords(board.date, Date.now());
  return (
    <div class="day">
      <h1 class="day-name" title="Days are those of UTC">
        {weekday} <span class="day-date">{day}</span>
      </h1>
      <nav class="day-ways" aria-label="Days">
        <DayLink date={board.previous_date} name="Previous day with events" arrow="M10 3 5 8l5 5" />
        <DayLink date={board.next_date} name="Next day with events" arrow="M6 3l5 5-5 5" />
      </nav>
    </div>
  );
}

function DayLink({
  date,
  name,
  arrow,
}: {
  readonly date: string | null;
  readonly name: string;
  readonly arrow: string;
}) {
  const shape = (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path class="arrow" d={arrow} />
    </svg>
  );
  if (date === null) return <span class="day-link day-link-none">{shape}</span>;
  const { weekday, day } = dayInWords(date, Date.now());
  return (
    <a class="day-link" href={boardHash(date)} title={`${weekday} ${day}`}>
      {shape}
      <span class="hidden-text">
        {name}: {weekday} {day}
      </span>
    </a>
  );
}
