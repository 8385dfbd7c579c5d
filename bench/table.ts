import { type Figure, isReached, ratioOf } from './benchmark.ts';

/** `12,345`, `9.87`, `0.0123`: three digits tell enough. */
export const rounded = (value: number): string =>
  value.toLocaleString('en', value >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 });

/** One line a figure, in columns. */
export function table(rows: readonly { readonly benchmark: string; readonly figure: Figure }[]): string {
  const cells = rows.map(({ benchmark, figure }) => {
    const { what, value, unit, floor, goal, spread } = figure;
    const ratio = ratioOf(figure);
    return [
      benchmark,
      what,
      `${rounded(value)} ${unit}`,
      spread ? `${rounded(spread.least)}-${rounded(spread.most)}` : '',
      floor ? `${rounded(floor.value)} (${floor.what})` : '',
      ratio === undefined ? '' : rounded(ratio),
      goal ? `${goal.of === 'ratio' ? 'ratio ' : ''}${goal.bound} ${rounded(goal.number)}` : '',
      { true: 'yes', false: 'NO', undefined: '' }[String(isReached(figure)) as 'true' | 'false' | 'undefined'],
    ];
  });
  const lines = [['benchmark', 'figure', 'value', 'runs', 'floor', 'ratio', 'goal', 'reached'], ...cells];
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
