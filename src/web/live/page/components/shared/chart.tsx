import type { ComponentChildren, SVGAttributes } from 'preact';

/** What every chart that the browser draws stands in: the same frame and style as the server's in `layout/charts.ts`. */

interface ChartProps extends Pick<SVGAttributes<SVGSVGElement>, 'onPointerDown' | 'onPointerMove'> {
  readonly width: number;
  readonly height: number;
  /** What it shows, for those who do not see it: the table beside it has the figures. */
  readonly name: string;
  /** Stretched to its box, without texts of its own; otherwise a unit is a pixel. */
  readonly isStretched?: boolean;
  readonly children: ComponentChildren;
}

export const Chart = ({ width, height, name, isStretched = false, children, ...handlers }: ChartProps) => (
  <svg
    class="plot"
    {...(isStretched ? { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none' } : { width, height })}
    role="img"
    aria-label={name}
    {...handlers}
  >
    {children}
  </svg>
);

interface GridLinesProps {
  readonly left: number;
  readonly right: number;
  readonly lines: readonly { readonly y: number; readonly text: string; readonly isZero?: boolean }[];
}

/** Lines across a chart at round values, with their texts at the left. */
export const GridLines = ({ left, right, lines }: GridLinesProps) => (
  <>
    {lines.map(({ y, text, isZero }) => (
      <g key={y}>
        <line class={isZero ? 'grid zero' : 'grid'} x1={left} x2={right} y1={y} y2={y} />
        <text class="tick end" x={left - 8} y={y + 4}>
          {text}
        </text>
      </g>
    ))}
  </>
);
