/** The first line of an input, such as a secret on standard input. */
export async function firstLine(input: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of input) {
    pieces.push(piece);
    if (piece.includes(0x0a)) break;
  }
  return Buffer.concat(pieces).toString('utf8').split('\n')[0]!.replace(/\r$/, '');
}
