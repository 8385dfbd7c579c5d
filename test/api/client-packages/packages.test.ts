import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { gunzipSync, unzipSync } from 'fflate';
import { afterEach, describe, expect, it } from 'vitest';
import { npmTarball } from '../../../src/api/client-packages/npm-tarball.ts';
import {
  type PackageFile,
  pythonVersion,
  pythonWheel,
  wheelName,
} from '../../../src/api/client-packages/python-wheel.ts';
import { writeClientPackages } from '../../../src/api/client-packages/write-client-packages.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';

const folder = temporaryFolder();
const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);
const file = (path: string, content: string): PackageFile => ({ path, content: new TextEncoder().encode(content) });
const MODULES = [
  file('ledgerline/__init__.py', 'from ._calls import *\n'),
  file('ledgerline/_calls.py', '# Zürich\n'.repeat(200)),
  file('ledgerline/py.typed', ''),
];
const SCRIPTS = [file('index.js', 'export {};\n'.repeat(100)), file('generated/api-types.d.ts', 'export {};\n')];
const bytesOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** What a tar holds, by path; its checksums are checked. */
function untarred(tar: Uint8Array): Record<string, string> {
  const files: Record<string, string> = {};
  for (let at = 0; tar[at] !== 0; ) {
    const header = tar.slice(at, at + 512);
    const field = (from: number, length: number) => text(header.slice(from, from + length)).split('\0')[0]!;
    const told = Number.parseInt(field(148, 8), 8);
    header.fill(32, 148, 156);
    expect([told, field(257, 6)]).toEqual([header.reduce((sum, byte) => sum + byte, 0), 'ustar']);
    const size = Number.parseInt(field(124, 12), 8);
    files[field(0, 100)] = text(tar.slice(at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}

describe('a wheel', () => {
  it('holds the files, and a record of them by which pip checks them', () => {
    const files = unzipSync(pythonWheel(MODULES, '1.2.3'));
    for (const { path, content } of MODULES) expect(text(files[path])).toBe(text(content));
    const record = text(files['ledgerline-1.2.3.dist-info/RECORD']).trimEnd().split('\n');
    expect(record.pop()).toBe('ledgerline-1.2.3.dist-info/RECORD,,');
    expect(record.map((line) => line.split(',')[0])).toEqual(
      Object.keys(files).filter((path) => !path.endsWith('/RECORD')),
    );
    for (const [path, digest, size] of record.map((line) => line.split(','))) {
      const content = files[path!]!;
      expect(digest).toBe(`sha256=${createHash('sha256').update(content).digest('base64url')}`);
      expect(Number(size)).toBe(content.length);
    }
  });

  it('says what it needs: Python 3.10 and httpx, and pandas only where that is asked for', () => {
    const metadata = text(unzipSync(pythonWheel(MODULES, '1.2.3'))['ledgerline-1.2.3.dist-info/METADATA']);
    expect(metadata.match(/^(?:Name|Version|Requires-.*|Provides-.*): .*$/gm)).toEqual([
      'Name: ledgerline',
      'Version: 1.2.3',
      'Requires-Python: >=3.10',
      'Requires-Dist: httpx>=0.27,<1',
      'Provides-Extra: pandas',
      'Requires-Dist: pandas>=2.0; extra == "pandas"',
    ]);
  });

  it.each([
    ['0.1.0', '0.1.0'],
    ['1.20.3-alpha.4', '1.20.3a4'],
    ['1.0.0-beta.1', '1.0.0b1'],
    ['1.0.0-rc.2', '1.0.0rc2'],
  ])('of the version %s is that of Python’s %s', (version, own) => {
    expect(pythonVersion(version)).toBe(own);
    expect(wheelName(version)).toBe(`ledgerline-${own}-py3-none-any.whl`);
  });

  it('is not made of a version that Python has no form of', () => {
    expect(() => pythonWheel(MODULES, '1.0.0-nightly')).toThrow('Python has no form of the version 1.0.0-nightly');
  });
});

describe('a tarball', () => {
  it('holds the files and a manifest that leads to them', () => {
    const files = untarred(gunzipSync(npmTarball(SCRIPTS, '1.2.3')));
    for (const { path, content } of SCRIPTS) expect(files[`package/${path}`]).toBe(text(content));
    expect(JSON.parse(files['package/package.json']!)).toMatchObject({
      name: 'ledgerline-client',
      version: '1.2.3',
      type: 'module',
      engines: { node: '>=20.19' },
      exports: { '.': { types: './index.d.ts', default: './index.js' } },
    });
    expect(files['package/package.json']).not.toContain('ependencies');
  });

  it('holds no path that it would cut', () => {
    expect(() => npmTarball([file('a'.repeat(93), '')], '1.0.0')).toThrow('too long for a tar');
  });
});

describe('the bytes of a package', () => {
  const zone = process.env['TZ'];
  afterEach(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });

  it('are the same for the same files and version, in whatever order, place and time', () => {
    const made = ['UTC', 'Pacific/Kiritimati', 'America/New_York'].map((TZ, at) => {
      process.env['TZ'] = TZ;
      const order = at % 2 === 0 ? MODULES : MODULES.toReversed();
      const scripts = at % 2 === 0 ? SCRIPTS : SCRIPTS.toReversed();
      return [bytesOf(pythonWheel(order, '1.0.0')), bytesOf(npmTarball(scripts, '1.0.0'))];
    });
    expect(new Set(made.map(String)).size).toBe(1);
    expect(bytesOf(pythonWheel(MODULES, '1.0.1'))).not.toBe(made[0]![0]);
  });
});

describe('the packages of a build', () => {
  const python = resolve(import.meta.dirname, '../../../clients/python');

  it('hold the built client and the Python source, and nothing that lies beside them', () => {
    const javascript = folder.path('built');
    for (const name of ['index.js', 'index.d.ts', 'index.js.map', 'generated/api-types.d.ts']) {
      mkdirSync(dirname(join(javascript, name)), { recursive: true });
      writeFileSync(join(javascript, name), name);
    }
    const output = folder.path('client');
    const names = writeClientPackages({ javascript, python, output });
    expect(names).toEqual(['ledgerline-client.tgz', expect.stringMatching(/^ledgerline-[\d.]+-py3-none-any\.whl$/)]);
    const scripts = untarred(gunzipSync(readFileSync(join(output, names[0]!))));
    expect(Object.keys(scripts).sort()).toEqual(
      ['package.json', 'generated/api-types.d.ts', 'index.d.ts', 'index.js'].map((name) => `package/${name}`).sort(),
    );
    const modules = Object.keys(unzipSync(readFileSync(join(output, names[1]!))));
    expect(modules).toEqual(
      expect.arrayContaining(['ledgerline/__init__.py', 'ledgerline/py.typed', 'ledgerline/generated/types.py']),
    );
    expect(modules.filter((path) => !/^ledgerline[/-]/.test(path) || /pycache|tests/.test(path))).toEqual([]);
  });

  it('are only those whose sources are there', () => {
    expect(writeClientPackages({ javascript: '/none', python: '/none', output: folder.path('none') })).toEqual([]);
  });
});
