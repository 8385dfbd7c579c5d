import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow } from './imports.ts';
import { declares, namesIn } from './named-code.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const page = read('docs/architecture.md');
const index = page.slice(page.indexOf('## Where is it?'), page.indexOf('\n## The rooms'));
const rows = index.split('\n').filter((line) => /^\| (?!question \|)/.test(line));
const paths = [...index.matchAll(/`((?:src|test|commands|projections|clients)\/[\w./-]*)`/g)].map(([, path]) => path!);

/** The page of the index itself, and that of the words, to which the page links above the index. */
const THIS_AND_WORDS: ReadonlySet<string> = new Set(['architecture.md', 'glossary.md']);

/** The part of a link that leads to a heading, as GitHub makes it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');

describe('the index of behaviours in docs/architecture.md', () => {
  it('has a question and an answer in each row, and each question once', () => {
    const cells = rows.map((row) => row.slice(2, -2).split(' | '));

    expect(rows.length).toBeGreaterThan(250);
    expect(cells.filter(({ length }) => length !== 2)).toEqual([]);
    expect(cells.map(([question]) => question!).filter((question) => !question.endsWith('?'))).toEqual([]);
    expect(new Set(cells.map(([question]) => question)).size).toBe(cells.length);
  });

  it('names only files and folders that are there', () => {
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('names functions and constants only of the file that declares them', () => {
    const named = namesIn(index).filter(([file]) => existsSync(join(ROOT, file)));

    expect(named.length).toBeGreaterThan(400);
    expect(named.filter(([file, name]) => !declares(read(file), name))).toEqual([]);
  });

  it('names every folder of the source: a file in it, the folder itself, or a folder that holds a file for each case', () => {
    const folders = [...new Set(filesBelow('src').map(dirname))];
    const isNamed = (folder: string) =>
      paths.some((path) => dirname(path) === folder || path === `${folder}/` || path === `${dirname(folder)}/`);

    expect(folders.filter((folder) => !isNamed(folder))).toEqual([]);
  });

  it('links to every page of the docs', () => {
    const linked = new Set([...index.matchAll(/\]\(([\w/-]+\.md)/g)].map(([, link]) => link));
    const pages = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });

    expect(pages.filter((name) => name.endsWith('.md') && !THIS_AND_WORDS.has(name) && !linked.has(name))).toEqual([]);
  });

  it('links only to headings that are there', () => {
    const links = [...index.matchAll(/\]\(([\w/-]*(?:\.md)?)#([^)]+)\)/g)];
    const lost = links.filter(([, target, anchor]) => {
      const text = target === '' ? page : read(join('docs', target!));
      const headings = [...text.matchAll(/^#{1,3} (.+)$/gm)].map(([, heading]) => anchorOf(heading!));
      return !headings.includes(anchor!);
    });

    expect(links.length).toBeGreaterThan(40);
    expect(lost.map(([link]) => link)).toEqual([]);
  });
});

describe('whether a source declares a name', () => {
  it.each([
    ['export async function one(a: number): void {', true],
    ['const one = 1;', true],
    ['  async one(\n    a: (b: number) => void,\n  ): Promise<void> {', true],
    ['  one(a: number): void;', true],
    ['  readonly one: string;', true],
    ['  async #one(a: number) {', false],
    ['  one(2);', false],
    ['  await one(2);', false],
    ["import { one } from './one.ts';", false],
    ['  return another.one;', false],
  ])('%j: %s', (source, expected) => expect(declares(source, 'one')).toBe(expected));

  it('finds a private method under its own name', () =>
    expect(declares('  async #one(a: number) {', '#one')).toBe(true));
});
