import { intelligence, liveEvent, moment, probabilities, seeking } from '../../live/event-store.ts';
import { betNotes, betRows } from '../../state/bet-rows.ts';
import { phaseOf } from '../../state/order.ts';
import { probabilityLines } from '../../state/probability-lines.ts';
import { Panel } from './panel.tsx';
import { ProbabilityChart } from './probability-chart.tsx';
import { WorthTable } from './worth-table.tsx';

/** What is fair by the market, what the server itself forecasts, and why. */
export function WorthPanel() {
  const { value } = intelligence;
  const event = moment.value?.event ?? liveEvent.value;
  if (!value || !event) return null;
  const rows = betRows(value, event.sides);
  const lines = probabilityLines(probabilities.value);
  // Prices of a game that is played are no match for what was fair before it.
  const isComing = phaseOf(event.status) === 'coming';
  const odds = isComing ? (moment.value?.odds ?? []) : [];
  return (
    <Panel name="Fair price and forecast" note={isComing ? null : 'as they stood at the start'}>
      {rows.length > 0 && <WorthTable rows={rows} odds={odds} bookmakers={value.bookmakers} />}
      {betNotes(value).map((note) => (
        <p key={note} class="worth-note">
          {note}
        </p>
      ))}
      {lines && <ProbabilityChart lines={lines} sides={event.sides} seeking={seeking.value} />}
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
