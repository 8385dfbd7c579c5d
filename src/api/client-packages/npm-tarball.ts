import { gzipSync } from 'fflate';
import type { PackageFile } from './python-wheel.ts';

const BLOCK = 512;
const encoder = new TextEncoder();

export const TARBALL_NAME = 'ledgerline-client.tgz';

/**
 * A package that npm installs, without a dependency.
 * @param files of the package: `index.js`, `index.d.ts` and what they name
 * @returns the gzipped tar; the same files and version give the same bytes
 * @throws Error where a path is too long for a tar
 */
export function npmTarball(files: readonly PackageFile[], version: string): Uint8Array {
  const all = [
    { path: 'package.json', content: encoder.encode(manifest(version)) },
    ...[...files].sort((a, b) => (a.path < b.path ? -1 : 1)),
  ];
  const blocks = all.flatMap(({ path, content }) => [header(`package/${path}`, content.length), padded(content)]);
  // Two empty blocks end a tar.
  return gzipSync(joined([...blocks, new Uint8Array(2 * BLOCK)]), { mtime: 0, level: 9 });
}

const manifest = (version: string): string =>
  `${JSON.stringify(
    {
      name: 'ledgerline-client',
      version,
      description: 'The client of a Ledgerline server, for Node, Deno, Bun and browsers.',
      type: 'module',
      license: 'UNLICENSED',
      engines: { node: '>=20.19' },
      sideEffects: false,
      types: './index.d.ts',
      exports: { '.': { types: './index.d.ts', default: './index.js' }, './package.json': './package.json' },
    },
    null,
    2,
  )}\n`;

/** The header of a plain file in the format ustar: no owner, and the time 0, so that only its content counts. */
function header(path: string, size: number): Uint8Array {
  const name = encoder.encode(path);
  if (name.length > 100) throw new Error(`the path is too long for a tar: ${path}`);
  const block = new Uint8Array(BLOCK);
  const write = (text: string, at: number) => block.set(encoder.encode(text), at);
  block.set(name);
  write('0000644\0' + '0000000\0' + '0000000\0', 100);
  write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  write('00000000000\0', 136);
  // The sum is taken with blanks in its own place.
  write('        ', 148);
  write('0', 156);
  write('ustar\0' + '00', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

function padded(content: Uint8Array): Uint8Array {
  const whole = new Uint8Array(Math.ceil(content.length / BLOCK) * BLOCK);
  whole.set(content);
  return whole;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((total, { length }) => total + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
