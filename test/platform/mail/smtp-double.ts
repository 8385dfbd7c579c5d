import type { Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { listenBelow32768 } from '../../api/http/listening.ts';

/** A mail as it was handed over. */
export interface TakenMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Header and body as they came, dots unstuffed. */
  readonly content: string;
  readonly login: string | undefined;
}

/**
 * A DOUBLE of a server of SMTP (RFC 5321), on loopback: it takes mails and delivers none. It knows EHLO, AUTH PLAIN, MAIL,
 * RCPT, DATA, RSET and QUIT.
 */
export async function serveSmtpDouble({ wantsLogin = false } = {}) {
  const taken: TakenMail[] = [];
  /** What the next mails are answered with in the place of 250, one after the other. */
  const answers: string[] = [];
  const sockets = new Set<Socket>();
  const heard: (() => void)[] = [];

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    const say = (line: string) => socket.write(`${line}\r\n`);
    let [from, to, login] = ['', [] as string[], undefined as string | undefined];
    let text = '';
    let isData = false;

    function command(line: string): void {
      const [, argument = ''] = /<([^>]*)>/.exec(line) ?? [];
      if (/^EHLO /i.test(line)) {
        say('250-double');
        say(wantsLogin ? '250-AUTH PLAIN' : '250-PIPELINING');
        say('250 8BITMIME');
      } else if (/^AUTH PLAIN /i.test(line)) {
        login = Buffer.from(line.slice(11), 'base64').toString().split('\0').slice(1).join(':');
        say('235 2.7.0 accepted');
      } else if (/^MAIL FROM:/i.test(line)) {
        [from, to] = [argument, []];
        say('250 ok');
      } else if (/^RCPT TO:/i.test(line)) {
        to.push(argument);
        say('250 ok');
      } else if (/^DATA$/i.test(line)) {
        isData = true;
        say('354 go on');
      } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n');
      else say('250 ok');
    }

    function data(): boolean {
      const end = text.indexOf('\r\n.\r\n');
      if (end < 0) return false;
      const content = text.slice(0, end + 2).replaceAll(/^\.\./gm, '.');
      text = text.slice(end + 5);
      isData = false;
      const answer = answers.shift();
      if (answer === undefined) taken.push({ from, to, content, login });
      say(answer ?? '250 ok');
      for (const hear of heard.splice(0)) hear();
      return true;
    }

    say('220 double ESMTP');
    socket.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      for (;;) {
        if (isData) {
          if (!data()) return;
          continue;
        }
        const end = text.indexOf('\r\n');
        if (end < 0) return;
        const line = text.slice(0, end);
        text = text.slice(end + 2);
        command(line);
      }
    });
  });
  await listenBelow32768(server as unknown as HttpServer);
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    taken,
    answers,
    /** Resolves when the next mail has been taken or refused. */
    next: () => new Promise<void>((resolve) => heard.push(resolve)),
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
