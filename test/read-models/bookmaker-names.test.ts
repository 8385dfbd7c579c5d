import { expect, it } from 'vitest';
import { BOOKMAKERS } from '../../src/domain/catalogue/catalogue.ts';
import { createBookmakers, withNamesInWords } from '../../src/read-models/rendering/bookmakers.ts';

it.each([
  ['bet365', 'bet365'],
  ['draftkings', 'DraftKings'],
  ['william_hill', 'William Hill'],
])('pages call %s by the name %s', (slug, name) => {
  expect(withNamesInWords(createBookmakers(BOOKMAKERS, {})).nameOf(slug)).toBe(name);
});
