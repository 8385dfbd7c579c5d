import { extent, ticks } from 'd3-array';
import { chart, everyNth, gridLines, roundPlace, tickBelow } from '../layout/charts.ts';
import { type Html, html } from '../layout/html.ts';
import type { SeasonLosses } from './season-statistics.ts';

const [LEFT, RIGHT, TOP, WIDTH, HEIGHT] = [44, 20, 26, 320, 322];
const BOTTOM = HEIGHT - 40;
/** At most this many seasons have their year below them. */
const MAX_YEAR_LABELS = 5;

type Series = 'forecast' | 'close';

/** Log loss by season, of forecast and close; undefined if no season has one. */
export function seasonPlot(seasons: readonly SeasonLosses[], name: string): Html | undefined {
  const measured = seasons.filter(({ forecast, close }) => forecast !== null || close !== null);
  const [min, max] = extent(measured.flatMap(({ forecast, close }) => [forecast, close].filter((v) => v !== null)));
  if (min === undefined || max === undefined) return undefined;
  const air = Math.max(0.005, (max - min) * 0.15);
  const [low, high] = [min - air, max + air];
  const y = (loss: number): number => roundPlace(BOTTOM - ((loss - low) / (high - low)) * (BOTTOM - TOP));
  const step = (WIDTH - LEFT - RIGHT - 24) / Math.max(1, measured.length - 1);
  const x = (index: number): number =>
    roundPlace(measured.length === 1 ? (LEFT + WIDTH - RIGHT) / 2 : LEFT + 12 + index * step);
  const every = everyNth(measured.length, MAX_YEAR_LABELS);
  const series = (which: Series): Html => {
    const points = measured.flatMap((one, index) =>
      one[which] === null ? [] : [{ at: x(index), loss: one[which], of: one }],
    );
    return html`<polyline class="${which}-line" points="${points.map(({ at, loss }) => `${at},${y(loss)}`).join(' ')}"/>
${points.map(({ at, loss, of }) => html`<circle class="${which}" cx="${at}" cy="${y(loss)}" r="4"><title>${of.season}: ${which} ${loss.toFixed(4)}</title></circle>`)}`;
  };
  return chart(
    { width: WIDTH, height: HEIGHT, name },
    html`${gridLines({ left: LEFT, right: WIDTH - RIGHT, ticks: ticks(low, high, 5), y, text: (loss) => loss.toFixed(3) })}
${measured.map(({ season }, index) => index % every === 0 && tickBelow(x(index), BOTTOM + 18, String(season)))}
${series('close')}
${series('forecast')}
`,
  );
}
