import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { mailFolder } from '../../../src/platform/data-folder/folder-paths.ts';
import { CHEAP } from '../../accounts/users/users-world.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { composed } from '../../support/composed.ts';
import { createVisitor } from '../../web/account/visitor.ts';
import { serveSmtpDouble } from './smtp-double.ts';

const folder = temporaryFolder();
const GIVEN = { email: 'ann@a.example', password: 'a fine password of Ann' };

it('without SMTP_URL the link of a registration is in a file of the data folder, and works', async () => {
  const path = folder.path('files');
  mkdirSync(path);
  const server = await composed({ folder: path, replacements: { hashing: CHEAP } });
  const visitor = createVisitor(server.url);
  await visitor.post('/register', GIVEN);
  const names = await new Promise<string[]>((resolve) => {
    const look = () => {
      const there = readdirSync(path).includes('mail') ? readdirSync(mailFolder(path)) : [];
      if (there.some((name) => name.endsWith('.eml'))) resolve(there.filter((name) => name.endsWith('.eml')));
      else setImmediate(look);
    };
    look();
  });
  const text = readFileSync(`${mailFolder(path)}/${names[0]}`, 'utf8');
  const link = /https:\/\/sports\.example(\/verify-email\?token=\S+)/.exec(text)![1]!;
  const token = new URL(link, 'http://x').searchParams.get('token')!;
  const verified = await visitor.post('/verify-email', { token, password: GIVEN.password }, { page: link });
  expect(verified.to).toBe('/login');
  await server.close();
});

it('a mail that could not leave before the server ended leaves after its next start, by SMTP', async () => {
  const path = folder.path('smtp');
  mkdirSync(path);
  const smtp = await serveSmtpDouble();
  const settings = { smtpUrl: smtp.url, mailFrom: 'Scores <post@mail.example>' };
  const off = { description: 'mail: the server is off', send: () => Promise.reject(new Error('off')) };
  const first = await composed({ folder: path, settings, replacements: { hashing: CHEAP, mailer: off } });
  await createVisitor(first.url).post('/register', GIVEN);
  while (!first.logged.some(({ subject }) => subject === 'Verify your e-mail address')) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  await first.close();
  const heard = smtp.next();
  const second = await composed({
    folder: path,
    settings,
    replacements: { hashing: CHEAP },
    time: first.clock.time + 60_000,
  });
  await heard;
  expect(smtp.taken).toMatchObject([{ from: 'post@mail.example', to: ['ann@a.example'] }]);
  await second.close();
  await smtp.close();
});
