/** Apostrophes, straight and curly. */
const APOSTROPHES = "'‘’";
const OFF_THE_END = `.:${APOSTROPHES}`;

/** What parts pieces: white space, control characters, and some punctuation, unless it stands between two digits. */
const BETWEEN_PIECES = /[\p{Z}\p{Cc}]|(?<!\p{N})[,;!?()[\]{}"“”«»]|[,;!?()[\]{}"“”«»](?!\p{N})/u;
const FORMAT = /\p{Cf}/gu;
const DIGIT = /\p{N}/u;

/**
 * The words of a text, as docs/query.md has them: in lower case and compatibility form. Takes time in proportion to the
 * length of the text.
 */
export function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKC').toLowerCase().replace(FORMAT, '');
  return plain.split(BETWEEN_PIECES).flatMap(wordsOfPiece);
}

/** What holds a digit stays whole, for `2026-03-01`, `9/20` and `1,000` mean something as a whole. */
function wordsOfPiece(piece: string): string[] {
  const trimmed = withoutPossessive(trim(piece));
  if (DIGIT.test(trimmed)) return [trimmed];
  return trimmed
    .replace(/['‘’]/g, '')
    .split(/\p{P}/u)
    .filter((word) => word !== '');
}

/** By hand: a pattern bound to the end would try again from every character. */
function trim(piece: string): string {
  let start = 0;
  let end = piece.length;
  while (start < end && APOSTROPHES.includes(piece[start]!)) start++;
  while (end > start && OFF_THE_END.includes(piece[end - 1]!)) end--;
  return piece.slice(start, end);
}

const withoutPossessive = (piece: string): string =>
  piece.endsWith("'s") || piece.endsWith('’s') ? piece.slice(0, -2) : piece;
