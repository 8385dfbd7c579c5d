import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type WholeSite, wholeSite } from './whole-application.ts';

const PUBLIC_PAGES = ['/', '/forecasts', '/grade', '/docs', '/docs/errors', '/docs/errors/not_found', '/client'];

let site: WholeSite;
beforeAll(async () => {
  site = await wholeSite();
  await site.user('ann@sports.example');
  await site.user('sam@sports.example', { staff: true });
});
afterAll(async () => {
  await site.close();
  expect(site.failures).toEqual([]);
});

const linksIn = (text: string): string[] => [...text.matchAll(/href="([^"]+)"/g)].map(([, to]) => to!);
const headerOf = (text: string): string => /<header[\s\S]*<\/header>/.exec(text)![0];

describe('the header', () => {
  it('has the same navigation on every page, and marks where one is', async () => {
    const ann = await site.signedIn('ann@sports.example');
    const places: Record<string, string | undefined> = {};
    for (const path of [...PUBLIC_PAGES, '/login', '/dashboard', '/nothing/here']) {
      const { text } = await ann.get(path);
      const [navigation] = /<nav id="site-navigation"[\s\S]*?<\/nav>/.exec(text) ?? [];
      if (!navigation) {
        // Signed in, `/login` leads on.
        expect(path).toBe('/login');
        continue;
      }
      expect([path, linksIn(navigation)]).toEqual([path, ['/forecasts', '/grade', '/docs']]);
      places[path] = /href="([^"]+)" aria-current/.exec(navigation)?.[1];
    }
    expect(places).toMatchObject({ '/forecasts': '/forecasts', '/docs/errors': '/docs', '/grade': '/grade' });
    expect([places['/'], places['/dashboard']]).toEqual([undefined, undefined]);
  });

  it.each(PUBLIC_PAGES)(
    'of %s, which may be cached, is the same for whoever is signed in and who is not',
    async (path) => {
      const ann = await site.signedIn('sam@sports.example');
      const own = headerOf((await ann.get(path)).text);
      expect(own).toBe(headerOf((await site.browser().get(path)).text));
      expect(linksIn(own)).toContain('/dashboard');
      expect(own).not.toContain('/logout');
    },
  );

  it('has one’s own menu on the pages of an account, and staff’s for staff', async () => {
    const menuOf = async (email: string) => {
      const { text } = await (await site.signedIn(email)).get('/usage');
      return linksIn(/<nav aria-label="Account">[\s\S]*?<\/nav>/.exec(text)![0]);
    };
    const ann = await menuOf('ann@sports.example');
    expect(ann).toEqual(
      expect.arrayContaining(['/dashboard', '/api-keys', '/usage', '/alerts', '/links', '/billing', '/account']),
    );
    expect(ann).not.toContain('/admin');
    expect(await menuOf('sam@sports.example')).toContain('/admin');
  });
});

describe('the menu that a script asks for', () => {
  it('is a way to sign in for whoever is not signed in, and sets no cookie', async () => {
    const { status, text, headers, cookies } = await site.browser().get('/account/menu');
    expect([status, linksIn(text), cookies]).toEqual([200, ['/login'], []]);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
  });

  it('is the account’s for whoever is signed in, until they sign out', async () => {
    const sam = await site.signedIn('sam@sports.example');
    expect(linksIn((await sam.get('/account/menu')).text)).toEqual(
      expect.arrayContaining(['/dashboard', '/admin', '/logout']),
    );
    await sam.post('/logout');
    expect(linksIn((await sam.get('/account/menu')).text)).toEqual(['/login']);
  });
});
