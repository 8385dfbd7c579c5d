import { model, seeking } from '../../live/event-store.ts';
import { injuryWords } from '../../state/statuses.ts';
import { injuriesAt } from '../../state/story-model.ts';
import { dayAndClock } from '../../state/times.ts';
import { Time } from '../time.tsx';
import { Panel } from './panel.tsx';

/** Who was reported hurt until the moment that is shown. */
export function InjuriesPanel() {
  if (!model.value) return null;
  const reports = injuriesAt(model.value, seeking.value ?? model.value.to);
  if (reports.length === 0) return null;
  return (
    <Panel name="Availability">
      <table class="injuries">
        <thead>
          <tr>
            <th scope="col">Player</th>
            <th scope="col">Status</th>
            <th scope="col">Reported</th>
          </tr>
        </thead>
        <tbody>
          {reports.map(({ at, player, team, status }) => (
            <tr key={`${team} ${player}`}>
              <th scope="row">
                {player} <span class="injury-team">{team}</span>
              </th>
              <td class={`injury injury-${status}`}>{injuryWords(status)}</td>
              <td class="captured">
                <Time at={at} write={dayAndClock} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
