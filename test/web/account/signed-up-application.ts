import type { Mail } from '../../../src/platform/mail/mail.ts';
import type { Config } from '../../../src/platform/settings/config.ts';
import { CHEAP } from '../../accounts/users/users-world.ts';
import { BASE_URL, composed } from '../../support/composed.ts';
import { createVisitor, type Visitor, verifyAddress } from './visitor.ts';

export const PASSWORD = 'a fine password of Ann';

/** The server that ships, as visitors have it; mails are kept in the place of being sent. */
export async function application(
  settings: Partial<Pick<Config, 'registration' | 'github'>> = {},
  baseUrl: (port: number) => string = () => BASE_URL,
) {
  const mails: Mail[] = [];
  const waiting = new Set<() => void>();
  const mailer = {
    description: 'mail: kept by the test',
    async send(mail: Mail) {
      mails.push(mail);
      for (const look of [...waiting]) look();
    },
  };
  const server = await composed({ settings, baseUrl, replacements: { hashing: CHEAP, mailer } });
  /** The next mail to this address, perhaps one that is still to come. */
  const mail = (to: string): Promise<Mail> =>
    new Promise((resolve) => {
      function look(): void {
        const at = mails.findIndex((one) => one.to === to);
        if (at < 0) return void waiting.add(look);
        waiting.delete(look);
        resolve(mails.splice(at, 1)[0]!);
      }
      look();
    });
  /** Path and query of the link in the next mail to this address. */
  async function link(to: string): Promise<string> {
    const { text } = await mail(to);
    return new RegExp(`^${baseUrl(server.port)}(/\\S+token=\\S+)$`, 'm').exec(text)![1]!;
  }
  /** Opens a link that verifies an address, and sends its form. */
  const verify = (visitor: Visitor, path: string, password = PASSWORD) => verifyAddress(visitor, path, password);
  return {
    server,
    mail,
    link,
    verify,
    url: server.url,
    visitor: () => createVisitor(server.url),
    /** Somebody who has registered, opened the link, and signed in. */
    async signedIn(email: string, fields: Readonly<Record<string, string>> = {}): Promise<Visitor> {
      const visitor = createVisitor(server.url);
      await visitor.post('/register', { email, password: PASSWORD, name: 'Ann', plan: 'free', ...fields });
      await verify(visitor, await link(email));
      await visitor.post('/login', { email, password: PASSWORD });
      return visitor;
    },
    close: () => server.close(),
  };
}
export type Application = Awaited<ReturnType<typeof application>>;
