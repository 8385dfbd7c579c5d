const WORDS: readonly (readonly [pattern: RegExp, short: string])[] = [
  [/^(\d+)\w\w Quarter$/, 'Q$1'],
  [/^(\d+)\w\w Period$/, 'P$1'],
  [/^(\d+)\w\w Half$/, '$1H'],
  [/^(\d+)\w\w Set$/, 'S$1'],
  [/^Half-time$/, 'HT'],
  [/^Extra Time (\d)\w\w Half$/, 'ET$1'],
  [/^(\d+)\w\w Overtime$/, 'OT$1'],
  [/^Overtime$/, 'OT'],
  [/^Penalties$/, 'Pens'],
  [/^Shootout$/, 'SO'],
  [/^Bottom /, 'Bot '],
  [/^Middle /, 'Mid '],
  [/^End of /, 'End '],
];

/** A period where there is little room: `Q2` for `2nd Quarter`. An unknown one stays as it is. */
export function shortPeriod(label: string): string {
  const found = WORDS.find(([pattern]) => pattern.test(label));
  return found ? label.replace(found[0], found[1]) : label;
}
