/** Bytes of one encoded word, such that it has at most 75 characters (RFC 2047, 2). */
const BYTES_OF_WORD = 45;

/** A text as the value of a header: as it is if it is plain ASCII, otherwise in encoded words (RFC 2047). */
export function encodeHeaderText(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text) && !text.includes('=?')) return text;
  const words: string[] = [];
  let word = '';
  for (const character of text) {
    if (Buffer.byteLength(word + character) > BYTES_OF_WORD) {
      words.push(word);
      word = '';
    }
    word += character;
  }
  return [...words, word].map((one) => `=?UTF-8?B?${Buffer.from(one).toString('base64')}?=`).join(' ');
}
