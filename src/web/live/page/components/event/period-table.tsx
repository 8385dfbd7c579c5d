import type { BoardEvent } from '../../../answers/live-page-answers.ts';
import { shortName } from '../../view-model/event-sides.ts';
import { Panel } from '../shared/panel.tsx';

/** Each side's score by period, from the same version of the event as the score in its head. */
export function PeriodTable({ event }: { readonly event: BoardEvent }) {
  const { periods } = event;
  if (periods.length === 0) return null;
  // Tennis scores list the periods already, so there is no separate total.
  const hasTotal = !event.sides.some(({ score }) => score?.includes(' '));
  return (
    <Panel name="Score by period">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section class="scrolls" aria-label="Score by period, table" tabIndex={0}>
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">
                <span class="hidden-text">Side</span>
              </th>
              {periods.map(({ period }) => (
                <th key={period} scope="col">
                  {period}
                </th>
              ))}
              {hasTotal && <th scope="col">Total</th>}
            </tr>
          </thead>
          <tbody>
            {event.sides.map((side, index) => (
              <tr key={side.role}>
                <th scope="row">{shortName(side)}</th>
                {periods.map(({ period, scores }) => (
                  <td key={period}>{scores[index] ?? ''}</td>
                ))}
                {hasTotal && <td class="total">{side.score ?? ''}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Panel>
  );
}
