import { createHash } from 'node:crypto';
import { zipSync } from 'fflate';

/** A file of a package: its path there, and its content. */
export interface PackageFile {
  readonly path: string;
  readonly content: Uint8Array;
}

const NAME = 'ledgerline';
/**
 * A plain file that everybody may read, made on Unix at the first moment that a zip knows, which has times without a
 * zone: the same files give the same bytes, whenever and wherever.
 */
const entry = () => ({ mtime: new Date(1980, 0, 1), os: 3, attrs: 0o100644 << 16, level: 9 }) as const;
const SUFFIXES: Readonly<Record<string, string>> = { alpha: 'a', beta: 'b', rc: 'rc' };
const encoder = new TextEncoder();

/**
 * The version as Python's packages write it: `1.2.0-beta.1` is `1.2.0b1`.
 * @throws Error for a version that Python has no form of
 */
export function pythonVersion(version: string): string {
  const parts = /^(\d+\.\d+\.\d+)(?:-(alpha|beta|rc)\.(\d+))?$/.exec(version);
  if (!parts) throw new Error(`Python has no form of the version ${version}`);
  const [, release, stage, count] = parts;
  return stage === undefined ? release! : `${release}${SUFFIXES[stage]}${count}`;
}

/** @param version as npm writes it */
export const wheelName = (version: string): string => `${NAME}-${pythonVersion(version)}-py3-none-any.whl`;

/**
 * A package that pip installs, by the specification of wheels.
 * @param files of the package, with paths such as `ledgerline/client.py`
 * @param version as npm writes it
 * @returns the zip; the same files and version give the same bytes
 */
export function pythonWheel(files: readonly PackageFile[], version: string): Uint8Array {
  const own = pythonVersion(version);
  const info = `${NAME}-${own}.dist-info`;
  const all = [
    ...[...files].sort((a, b) => (a.path < b.path ? -1 : 1)),
    { path: `${info}/METADATA`, content: encoder.encode(metadata(own)) },
    { path: `${info}/WHEEL`, content: encoder.encode(wheelText(own)) },
  ];
  const record = `${info}/RECORD`;
  const lines = all.map(({ path, content }) => `${path},sha256=${digest(content)},${content.length}\n`);
  const listed = { path: record, content: encoder.encode(`${lines.join('')}${record},,\n`) };
  return zipSync(Object.fromEntries([...all, listed].map(({ path, content }) => [path, [content, entry()]])));
}

const digest = (content: Uint8Array): string => createHash('sha256').update(content).digest('base64url');

const metadata = (version: string): string => `Metadata-Version: 2.1
Name: ${NAME}
Version: ${version}
Summary: The client of a Ledgerline server: sports schedules, scores, odds with their history, and what follows.
Requires-Python: >=3.10
Requires-Dist: httpx>=0.27,<1
Provides-Extra: pandas
Requires-Dist: pandas>=2.0; extra == "pandas"
Classifier: Programming Language :: Python :: 3
Classifier: Typing :: Typed
Description-Content-Type: text/markdown

A method for each operation of the server that handed it out, for threads and for asyncio, with types, retries, pages,
streams and the signatures of webhooks. The server's page \`/client\` has examples.
`;

const wheelText = (version: string): string => `Wheel-Version: 1.0
Generator: ${NAME} (${version})
Root-Is-Purelib: true
Tag: py3-none-any
`;
