/** A point of a drawing: x and y. */
export type Dot = readonly [number, number];

const short = (value: number): string => String(Math.round(value * 100) / 100);

/** A step line as an SVG path: it keeps each height until the next dot. */
export function stepPath(dots: readonly Dot[], until?: number): string {
  if (dots.length === 0) return '';
  const [first, ...rest] = dots as readonly [Dot, ...Dot[]];
  const steps = rest.map(([x, y]) => `H${short(x)}V${short(y)}`).join('');
  return `M${short(first[0])},${short(first[1])}${steps}${until === undefined ? '' : `H${short(until)}`}`;
}

/** The area between a step line and a base line. */
export function stepArea(dots: readonly Dot[], base: number, until: number): string {
  if (dots.length === 0) return '';
  return `${stepPath(dots, until)}V${short(base)}H${short(dots[0]![0])}Z`;
}

/** Removes dots that cannot be distinguished: keeps the first, the lowest, the highest and the last of each column. */
export function downsampleDots(dots: readonly Dot[], columnWidth: number): readonly Dot[] {
  const kept: Dot[] = [];
  let column: Dot[] = [];
  const flush = () => {
    const [low, high] = [...column].sort((a, b) => a[1] - b[1]).filter((_, i, all) => i === 0 || i === all.length - 1);
    for (const dot of column)
      if (dot === column[0] || dot === column.at(-1) || dot === low || dot === high) kept.push(dot);
    column = [];
  };
  for (const dot of dots) {
    const start = column[0];
    if (start && Math.floor(dot[0] / columnWidth) !== Math.floor(start[0] / columnWidth)) flush();
    column.push(dot);
  }
  if (column.length > 0) flush();
  return kept;
}
