/**
 * Text for the standard fonts of PDF, which know the characters of Windows-1252 and no others. The rest must not become
 * other characters, nor vanish: a letter with a mark stands as the letter, what has none as its code point (`[U+738B]`).
 */
export function receiptText(text: string): { readonly text: string; readonly isExact: boolean } {
  const written = [...text.normalize('NFC')].map(inFont).join('');
  return { text: written, isExact: written === text.normalize('NFC') };
}

/** Beside ASCII and Latin-1. */
const FURTHER = new Set('€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ');

/** Letters whose mark Unicode does not take apart. */
const PLAIN: Readonly<Record<string, string>> = {
  Đ: 'D',
  đ: 'd',
  Ħ: 'H',
  ħ: 'h',
  ı: 'i',
  Ł: 'L',
  ł: 'l',
  Ŧ: 'T',
  ŧ: 't',
};

function inFont(character: string): string {
  if (isKnown(character)) return character;
  const [base = '', ...marks] = character.normalize('NFD');
  if (marks.length > 0 && isKnown(base) && marks.every((mark) => /\p{M}/u.test(mark))) return base;
  const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
  return PLAIN[character] ?? `[U+${code}]`;
}

function isKnown(character: string): boolean {
  const code = character.codePointAt(0)!;
  return (code >= 0x20 && code <= 0x7e) || (code >= 0xa0 && code <= 0xff) || FURTHER.has(character);
}
