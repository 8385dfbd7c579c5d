import type { EventMoment } from '../../../live-answers.ts';
import { Panel } from './panel.tsx';

/** Each side's score by period. */
export function PeriodTable({ moment }: { readonly moment: EventMoment | null }) {
  if (!moment || moment.periods.length === 0) return null;
  const { event, periods } = moment;
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
              <th scope="col">Total</th>
            </tr>
          </thead>
          <tbody>
            {event.sides.map((side, index) => (
              <tr key={side.role}>
                <th scope="row">{side.abbreviation ?? side.name}</th>
                {periods.map(({ period, scores }) => (
                  <td key={period}>{scores[index] ?? ''}</td>
                ))}
                <td class="total">{side.score ?? ''}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Panel>
  );
}
