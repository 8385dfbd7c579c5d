import { afterAll, beforeAll, expect, it } from 'vitest';
import { type WholeSite, wholeSite } from '../whole-application.ts';

let site: WholeSite;
beforeAll(async () => {
  site = await wholeSite({ settings: { livePage: true } });
  await site.user('ann@x.example');
  await site.user('bob@x.example');
});
afterAll(() => site.close());

const PATH = '/account/books';
const ticked = (text: string): string[] =>
  [...text.matchAll(/name="book" value="(\w+)" checked/g)].map(([, slug]) => slug!);

it('an owner ticks books, names others, sees them again, and ends the list', async () => {
  const ann = await site.signedIn('ann@x.example');
  expect((await ann.get('/account')).text).toContain(`href="${PATH}"`);
  expect((await ann.get(PATH)).text).toContain('You have no list: every book counts.');
  const ticks: [string, string][] = [
    ['book', 'fanduel'],
    ['book', 'circa'],
    ['others', ' My_Book, fanduel'],
  ];
  expect((await ann.post(PATH, ticks)).location).toBe(PATH);
  const { text } = await ann.get(PATH);
  expect(text).toContain('Your books are saved.');
  expect(text).toContain('Your list has 3 books.');
  expect(ticked(text)).toEqual(['fanduel', 'circa']);
  expect(text).toContain('value="my_book"');
  expect(JSON.parse((await ann.get('/account/export')).text).account.my_books).toEqual(['fanduel', 'circa', 'my_book']);
  expect((await ann.get('/odds?books=mine')).text).toContain('data-books="fanduel,circa,my_book"');
  const bob = await site.signedIn('bob@x.example');
  expect((await bob.get(PATH)).text).toContain('You have no list');
  expect((await bob.get('/odds?books=mine')).location).toBe('/odds?market=moneyline');
  expect((await ann.post(PATH, { end: '1' })).location).toBe(PATH);
  expect((await ann.get(PATH)).text).toContain('You have no list: every book counts.');
});

it('what is wrong is refused with the reason, and what was chosen stays', async () => {
  const bob = await site.signedIn('bob@x.example');
  for (const [form, shown] of [
    [{}, 'It must hold at least 1 slug'],
    [{ book: 'circa', others: 'no-slug' }, 'It must be a slug'],
  ] as const) {
    const { status, text } = await bob.post(PATH, form);
    expect([status, text.includes(shown)]).toEqual([422, true]);
    expect(ticked(text)).toEqual('book' in form ? ['circa'] : []);
    expect(text).toContain('value="no-slug"'.slice(0, 'others' in form ? undefined : 0));
  }
  expect((await bob.get(PATH)).text).toContain('You have no list');
});
