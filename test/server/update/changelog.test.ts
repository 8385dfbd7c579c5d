import { expect, it } from 'vitest';
import { entryTag, parseChangelog, readChangelog } from '../../../src/server/composition/changelog.ts';

const TEXT = `# Changelog

- Not of a version.

## [Unreleased]

### Added

- **Bets**: an account keeps
  its bets ([docs](docs/bets.md)).
- Two.

### Fixed

- \`three\`.

## [0.1.0] - 2026-12-01

### Added

- Two.
`;

it('gives the points of a changelog as plain lines, with their version and kind', () => {
  expect(parseChangelog(TEXT)).toEqual([
    { version: 'Unreleased', kind: 'Added', text: 'Bets: an account keeps its bets (docs).' },
    { version: 'Unreleased', kind: 'Added', text: 'Two.' },
    { version: 'Unreleased', kind: 'Fixed', text: 'three.' },
    { version: '0.1.0', kind: 'Added', text: 'Two.' },
  ]);
});

it('knows a point again that has become part of a version', () => {
  const [, unreleased, , released] = parseChangelog(TEXT);
  expect(entryTag(unreleased!)).toBe(entryTag(released!));
});

it("reads this program's own, and tells its points apart", () => {
  const entries = readChangelog();
  expect(entries.length).toBeGreaterThan(20);
  expect(new Set(entries.map(entryTag)).size).toBe(entries.length);
});
