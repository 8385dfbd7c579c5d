import { inflateSync } from 'node:zlib';

/**
 * The text of a PDF as pdfkit writes it without compression: strings in hex of Windows-1252, with kerning between them.
 * It knows no other PDF.
 */
export function linesOf(pdf: Uint8Array): string[] {
  const text = Buffer.from(pdf).toString('latin1');
  return [...text.matchAll(/\[(.*?)\] TJ/g)].map(([, pieces]) => {
    const hex = [...pieces!.matchAll(/<([0-9a-f]*)>/g)].map(([, digits]) => digits!).join('');
    return [...Buffer.from(hex, 'hex')].map(windows1252).join('').trimEnd();
  });
}

/** Of the properties of the document. */
export function infoOf(pdf: Uint8Array, name: string): string {
  const bytes = Buffer.from(pdf);
  const text = bytes.toString('latin1');
  const object = new RegExp(`/${name} (\\d+) 0 R`).exec(text)![1];
  const from = text.indexOf(`\n${object} 0 obj\n(`) + object!.length + 9;
  const raw = text.slice(from, text.indexOf(')\nendobj', from));
  const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
  const plain = raw.replaceAll(/\\(.)/gs, (_, one: string) => escapes[one] ?? one);
  const unescaped = Buffer.from(plain, 'latin1');
  if (unescaped[0] !== 0xfe || unescaped[1] !== 0xff) return unescaped.toString('latin1');
  return Buffer.from(unescaped.subarray(2)).swap16().toString('utf16le');
}

/** Bytes from 0x80 that are not as in Latin-1; those that mean nothing are dots. Node's own decoder gives Latin-1. */
const FROM_0X80 = '€.‚ƒ„…†‡ˆ‰Š‹Œ.Ž..‘’“”•–—˜™š›œ.žŸ';
const windows1252 = (byte: number): string => FROM_0X80[byte - 0x80] ?? String.fromCharCode(byte);

/** The same file with its streams as text. */
export function uncompressed(pdf: Uint8Array): Uint8Array {
  const text = Buffer.from(pdf).toString('latin1');
  const plain = text.replaceAll(/stream\n([\s\S]*?)\nendstream/g, (whole, stream: string) => {
    try {
      return `stream\n${inflateSync(Buffer.from(stream, 'latin1')).toString('latin1')}\nendstream`;
    } catch {
      return whole;
    }
  });
  return Buffer.from(plain, 'latin1');
}
