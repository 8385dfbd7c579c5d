/** A line of .25 or .75: half of the bet is on the half point below it, half on the one above. */
export const isQuarterLine = (line: number): boolean => Number.isInteger(line * 4) && !Number.isInteger(line * 2);

/** The lines of both halves. */
export const halvesOf = (line: number): readonly [number, number] => [line - 0.25, line + 0.25];
