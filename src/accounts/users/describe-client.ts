import { parseIpAddress } from '../../platform/ip-address.ts';
import type { Client } from './user-service.ts';

/** The first that fits counts: browsers name those that they are like, too. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

const nameOf = (names: typeof BROWSERS, userAgent: string): string | undefined =>
  names.find(([pattern]) => pattern.test(userAgent))?.[1];

/** The browser and its system, such as `Firefox on Linux`; undefined for what is none of those that are known. */
export function browserOf(userAgent: string): string | undefined {
  const browser = nameOf(BROWSERS, userAgent);
  const system = nameOf(SYSTEMS, userAgent);
  return browser === undefined || system === undefined ? browser : `${browser} on ${system}`;
}

/**
 * For mails: the browser and the IP address of a request, such as `Firefox on Linux, at 192.0.2.1`. Holds nothing that
 * the sender of the request could have written.
 */
export function describeClient({ ip, userAgent }: Client): string {
  const browser = nameOf(BROWSERS, userAgent) ?? 'an unknown browser';
  const system = nameOf(SYSTEMS, userAgent);
  const named = system === undefined ? browser : `${browser} on ${system}`;
  return parseIpAddress(ip) ? `${named}, at ${ip}` : named;
}
