import type { PageCookies } from '../layout/page-cookies.ts';
import { readNextPath } from './after-sign-in.ts';
import type { PageRequest } from './page-route.ts';
import { createTextSigner } from './text-signer.ts';

/** Where a browser was led to register, so that its first sign-in leads back there: a mail and its link lie between. */
export interface RememberedNext {
  /** The `Set-Cookie` value after a registration. @param next a path of this server */
  remember(next: string): string;
  /** All paths that are remembered: one or none. */
  read(visit: Pick<PageRequest, 'cookie'>): readonly string[];
  /** The `Set-Cookie` value that ends it. */
  end(): string;
}

const COOKIE = 'next';
/** As long as the link of a registration works. */
const SECONDS = 24 * 60 * 60;
/** Browsers keep no cookie of more than 4 KiB. */
const MAX_LENGTH = 2000;

/** @param secret SESSION_SECRET */
export function createRememberedNext(cookies: Pick<PageCookies, 'write' | 'end'>, secret: string): RememberedNext {
  const signer = createTextSigner(secret, 'next');
  return {
    remember: (next) =>
      next.length > MAX_LENGTH ? cookies.end(COOKIE) : cookies.write(COOKIE, signer.sign(next), SECONDS),
    read({ cookie }) {
      const next = readNextPath([signer.verify(cookie(COOKIE) ?? '') ?? '']);
      return next === undefined ? [] : [next];
    },
    end: () => cookies.end(COOKIE),
  };
}
