import type { InputFile } from './input-file.ts';

/** What 0x80 to 0x9f are in Windows-1252, where they differ from ISO 8859-1 (the WHATWG encoding standard, index). */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** The canonical name of an encoding by any of its labels in the WHATWG encoding standard; undefined for no label. */
export function encodingByLabel(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/**
 * The file as UTF-8, without a mark. Its encoding is the one given; else that of its mark; else UTF-8 if all of its
 * bytes are; else Windows-1252. What can be read only once counts as UTF-8 where it has no mark.
 * @param onAssumed called before the first byte if the file is read as Windows-1252 since it is no UTF-8
 */
export async function* readAsUtf8(
  file: InputFile,
  given: string | undefined,
  onAssumed: () => void,
): AsyncGenerator<Uint8Array> {
  let encoding = given;
  if (encoding === undefined && (await isUtf8OrMarked(file)) === false) {
    encoding = 'windows-1252';
    onAssumed();
  }
  let decoder: ((chunk?: Uint8Array) => string) | undefined;
  let head: Uint8Array = new Uint8Array();
  for await (const chunk of file.bytes()) {
    if (decoder) {
      yield Buffer.from(decoder(chunk));
      continue;
    }
    head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
    if (head.length < 3) continue;
    decoder = decoderOf(encoding ?? encodingByMark(head) ?? 'utf-8');
    yield Buffer.from(decoder(head));
  }
  decoder ??= decoderOf(encoding ?? encodingByMark(head) ?? 'utf-8');
  if (head.length < 3) yield Buffer.from(decoder(head));
  yield Buffer.from(decoder());
}

/** Undefined: it can be read only once. */
async function isUtf8OrMarked(file: InputFile): Promise<boolean | undefined> {
  const again = file.openAgain();
  if (!again) return undefined;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let first = true;
  try {
    for await (const chunk of again.bytes()) {
      if (first && encodingByMark(chunk) !== undefined) return true;
      first = false;
      decoder.decode(chunk, { stream: true });
    }
    decoder.decode();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    // The file cannot be read to its end: the reading that counts says so, after all that comes before.
    return undefined;
  }
}

/** UTF-8 and UTF-16 may begin with a mark. */
function encodingByMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return undefined;
}

/** Some versions of Node decode Windows-1252 as ISO 8859-1, so that is done here. */
function decoderOf(encoding: string): (chunk?: Uint8Array) => string {
  if (encoding !== 'windows-1252') {
    const decoder = new TextDecoder(encoding);
    return (chunk) => decoder.decode(chunk, { stream: chunk !== undefined });
  }
  return (chunk = new Uint8Array()) =>
    Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      .toString('latin1')
      .replace(/[\x80-\x9f]/g, (character) => WINDOWS_1252[character.charCodeAt(0) - 0x80]!);
}
