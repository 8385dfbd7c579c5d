import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { programFolder } from '../../platform/program-folder.ts';

/** One point of CHANGELOG.md, as plain text on one line. */
export interface ChangelogEntry {
  /** The version, or `Unreleased`. */
  readonly version: string;
  /** `Added`, `Changed`, `Fixed`, ... */
  readonly kind: string;
  readonly text: string;
}

/** The points of a changelog in the form of Keep a Changelog, in their order. */
export function parseChangelog(markdown: string): readonly ChangelogEntry[] {
  const entries: { version: string; kind: string; text: string }[] = [];
  let version = '';
  let kind = '';
  let isOpen = false;
  for (const line of markdown.split('\n')) {
    const heading = /^(##|###) \[?([^\]]+?)\]?(?: - .*)?$/.exec(line);
    isOpen &&= /^ {2,}\S/.test(line);
    if (heading?.[1] === '##') version = heading[2]!;
    else if (heading) kind = heading[2]!;
    else if (isOpen) entries.at(-1)!.text += ` ${line.trim()}`;
    else if (line.startsWith('- ') && version !== '') {
      entries.push({ version, kind, text: line.slice(2).trim() });
      isOpen = true;
    }
  }
  return entries.map((entry) => ({ ...entry, text: plain(entry.text) }));
}

const plain = (text: string): string => text.replace(/\*\*|`/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');

/** Tells one point from another, in eight characters. */
export const entryTag = ({ text }: ChangelogEntry): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 8);

/** The points of this program's own changelog; none where it came without the file. */
export function readChangelog(): readonly ChangelogEntry[] {
  const folder = programFolder();
  const file = folder && join(folder, 'CHANGELOG.md');
  return file !== undefined && existsSync(file) ? parseChangelog(readFileSync(file, 'utf8')) : [];
}
