import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const pages = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const textOf = (page: string) => readFileSync(join(ROOT, page), 'utf8');

describe.each(pages)('%s', (page) => {
  it('names only folders and files of the project that are there', () => {
    const named = [...textOf(page).matchAll(/`((?:src|test|commands|projections|bench)\/[\w./-]*)`/g)];

    expect(named.map(([, path]) => path!).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('links only to pages and pictures that are there', () => {
    const links = [...textOf(page).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, link]) => link!);

    expect(links.filter((link) => !existsSync(join(ROOT, dirname(page), link)))).toEqual([]);
  });
});
