import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { namesIn } from './named-code.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const pages = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

const textOf = (page: string) => readFileSync(join(ROOT, page), 'utf8');

it('the changelog has the form of Keep a Changelog, and the version that is packed', () => {
  const text = textOf('CHANGELOG.md');
  const { version } = JSON.parse(textOf('package.json'));
  const kinds = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];

  expect(text).toMatch(/^# Changelog\n/);
  expect([...text.matchAll(/^## (.+)$/gm)].map(([, name]) => name)[0]).toMatch(/^\[Unreleased\]$/);
  expect([...text.matchAll(/^### (.+)$/gm)].filter(([, kind]) => !kinds.includes(kind!))).toEqual([]);
  expect(text.includes(`## [${version}]`) || text.includes(`Unreleased becomes ${version}`)).toBe(true);
});

describe.each(pages)('%s', (page) => {
  it('names only folders and files of the project that are there', () => {
    const named = [...textOf(page).matchAll(/`((?:src|test|commands|projections|bench|deploy)\/[\w./-]*)`/g)];

    expect(named.map(([, path]) => path!).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('names functions and constants only of files that have them', () => {
    const absent = namesIn(textOf(page)).filter(
      ([file, name]) => existsSync(join(ROOT, file)) && !new RegExp(`(?<![\\w])${name}\\b`).test(textOf(file)),
    );

    expect(absent).toEqual([]);
  });

  it('links only to pages and pictures that are there', () => {
    const links = [...textOf(page).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, link]) => link!);

    expect(links.filter((link) => !existsSync(join(ROOT, dirname(page), link)))).toEqual([]);
  });
});

it('a page names many functions, each with its file', () => {
  expect(namesIn(textOf('docs/architecture.md')).length).toBeGreaterThan(100);
  expect(namesIn('`one` and `two` in `src/a.ts`; `src/b.ts` (`three`, which is `four`)')).toEqual([
    ['src/b.ts', 'three'],
    ['src/b.ts', 'four'],
    ['src/a.ts', 'one'],
    ['src/a.ts', 'two'],
  ]);
});
