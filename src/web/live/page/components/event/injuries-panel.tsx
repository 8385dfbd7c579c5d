import { selectedMoment, storyModel } from '../../stores/event-store.ts';
import { injuryWords } from '../../view-model/status-words.ts';
import { injuriesAt } from '../../view-model/story-model.ts';
import { dayAndClock } from '../../view-model/times.ts';
import { Panel } from '../shared/panel.tsx';
import { Time } from '../shared/time.tsx';

/** Players reported injured up to the displayed moment. */
export function InjuriesPanel() {
  if (!storyModel.value) return null;
  const reports = injuriesAt(storyModel.value, selectedMoment.value ?? storyModel.value.to);
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
