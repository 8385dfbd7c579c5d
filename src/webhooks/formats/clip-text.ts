/** A text's length as a service counts it. */
export type Measure = (text: string) => number;

export const inCharacters: Measure = (text) => text.length;
export const inBytes: Measure = (text) => Buffer.byteLength(text);

const ELLIPSIS = '…';

/**
 * A text written for a service within its limit. What is too long ends with an ellipsis. Neither a character nor what
 * it was escaped to is cut.
 * @param write what the service reads as this character
 */
export function clipText(
  text: string,
  limit: number,
  measure: Measure = inCharacters,
  write: (character: string) => string = (character) => character,
): string {
  const room = limit - measure(ELLIPSIS);
  let written = '';
  let length = 0;
  /** What still leaves room for the ellipsis. */
  let short = '';
  for (const character of text) {
    const escaped = write(character);
    length += measure(escaped);
    if (length > limit) return short + ELLIPSIS;
    written += escaped;
    if (length <= room) short = written;
  }
  return written;
}

/** Half a surrogate pair, which no service can read. */
const LONE_SURROGATES = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** One line of valid text: control characters and line breaks become blanks. */
export const oneLine = (text: string): string =>
  text
    .replaceAll(LONE_SURROGATES, '\ufffd')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
