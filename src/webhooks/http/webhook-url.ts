import { isIP } from 'node:net';
import type { AddressGuard } from './address-guard.ts';

/** A URL that passed all checks of its text. Its name must still be resolved and checked. */
export interface WebhookUrl {
  /** The form to store and show: WHATWG, without fragment and without a dot after the host. */
  readonly href: string;
  /** `host:port`, for messages. */
  readonly endpoint: string;
  readonly isSecure: boolean;
  /** A name in lower case and ASCII, or an address without brackets. */
  readonly hostname: string;
  /** The host is an address, so nothing is resolved. It is checked with the text, and at each use as a name's are. */
  readonly isIpLiteral: boolean;
  readonly port: number;
  /** Path and query. */
  readonly path: string;
  /** Every address must be in a range that the operator allowed. */
  readonly needsAllowedAddress: boolean;
}

/** `refused` has words that follow the name of the field. */
type UrlCheck = { readonly url: WebhookUrl } | { readonly refused: string };

const MAX_LENGTH = 2048;
const refuse = (refused: string): UrlCheck => ({ refused });

/**
 * Parses the URL of a webhook. Unusual hosts (`0x7f.1`, `①27.0.0.1`, `%6cocalhost`) are judged by the result of the
 * WHATWG parser, which is also where the request goes. URLs that parsers are known to read differently are refused.
 */
export function parseWebhookUrl(text: string, guard: AddressGuard): UrlCheck {
  const oddity = ambiguityOf(text);
  if (oddity !== undefined) return refuse(oddity);
  const parsed = parseUrl(text);
  if (!parsed) return refuse('must be a URL with a valid host and port');
  const isSecure = parsed.protocol === 'https:';
  const hostname = parsed.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const isIpLiteral = isIP(hostname) > 0;
  const port = parsed.port === '' ? (isSecure ? 443 : 80) : Number(parsed.port);
  if (port === 0) return refuse('must have a port from 1 to 65535');
  if (!isSecure && !guard.allowsAny) return refuse('must begin with https://');

  const wrong = isIpLiteral ? addressProblem(hostname, isSecure, guard) : hostnameProblem(hostname, guard);
  if (wrong !== undefined) return refuse(wrong);
  if (parsed.href.includes('#')) parsed.hash = '';
  if (parsed.hostname.endsWith('.')) parsed.hostname = hostname;
  return {
    url: {
      href: parsed.href,
      endpoint: `${isIP(hostname) === 6 ? `[${hostname}]` : hostname}:${port}`,
      isSecure,
      hostname,
      isIpLiteral,
      port,
      path: parsed.pathname + parsed.search,
      needsAllowedAddress: !isSecure || (!isIpLiteral && isLocalName(hostname)),
    },
  };
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** Finds text that the WHATWG parser silently accepts and other parsers read differently. */
function ambiguityOf(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return `must have ${MAX_LENGTH} characters at most`;
  // The parser drops tabs and line breaks anywhere, and blanks at the ends.
  if (/[^!-~\u00a1-\uffff]/.test(text)) {
    return 'must not have blanks or control characters';
  }
  if (text.includes('\\')) return 'must not have backslashes';
  // The parser reads `https:host` and `https:///host` as `https://host`.
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority === undefined)
    return /^http:\/\/./i.test(text) ? 'must have a host' : 'must begin with https:// and a host';
  if (authority.includes('@')) return 'must not have a user name or a password';
  if (/^\[[^\]]*%/.test(authority)) return 'must not have an address with a zone id';
  return undefined;
}

function addressProblem(address: string, secure: boolean, guard: AddressGuard): string | undefined {
  if (guard.refusal(address, !secure) === undefined) return undefined;
  const refusal = guard.refusal(address);
  return refusal === undefined ? 'must begin with https://' : `must not lead to ${refusal}`;
}

function hostnameProblem(name: string, guard: AddressGuard): string | undefined {
  const labels = name.split('.');
  if (name.length > 253 || labels.some((label) => !/^[a-z0-9_-]{1,63}$/.test(label))) {
    return 'must have a valid host name';
  }
  if (!isLocalName(name) || guard.allowsAny) return undefined;
  return labels.length > 1 ? 'must not lead to this machine' : 'must have a full host name, with a dot';
}

/** Names that mean this machine (RFC 6761), and names without a dot, which mean a host of the local network. */
export const isLocalName = (name: string): boolean => !name.includes('.') || name.endsWith('.localhost');
