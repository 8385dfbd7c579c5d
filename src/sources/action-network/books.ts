/** Action Network's number of the consensus, and of the prices with which the consensus opened. */
export const CONSENSUS = '15';
export const OPENING = '30';

const SLUGS: Readonly<Record<string, string>> = {
  [CONSENSUS]: 'consensus',
  [OPENING]: 'consensus',
  '68': 'betmgm',
  '69': 'caesars',
  '71': 'betrivers',
};

/** The bookmaker behind a book id; ids without a name of their own are kept apart as `action_ID`. */
export const bookmakerOf = (book: string): string => SLUGS[book] ?? `action_${book.replace(/[^0-9]/g, '')}`;
