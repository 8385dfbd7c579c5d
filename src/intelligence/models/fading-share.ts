/** What part of something comes out, learnt as one sum over another. */
export interface FadingShare {
  readonly part: number;
  readonly whole: number;
}

/** What stays of the past with each game: about the last 2,000 count. */
const KEPT = 0.9995;

export const shareAfter = ({ part, whole }: FadingShare, came: number, of: number): FadingShare => ({
  part: KEPT * part + came,
  whole: KEPT * whole + of,
});

export const shareOf = ({ part, whole }: FadingShare): number => part / whole;
