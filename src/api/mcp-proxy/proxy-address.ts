/** Where the proxy sends messages, and by which key. */
export interface ProxyAddress {
  readonly endpoint: URL;
  readonly key: string | undefined;
}

/** A setting of the proxy that cannot be meant; the message names it. */
export class ProxyAddressError extends Error {
  readonly code = 'address';
}

interface GivenAddress {
  /** Address of the server, or of its `/mcp`. */
  readonly url: string | undefined;
  readonly key: string | undefined;
  /** Toolsets, such as `core,odds`. */
  readonly tools: string | undefined;
}

export const DEFAULT_URL = 'http://localhost:3000';
const DEFAULT_TOOLS = 'core';
/** A host that fills in nothing leaves the name of the setting. */
const UNFILLED = /^\$\{.*\}$/;
const KEY = /^[!-~]+$/;

/** @throws ProxyAddressError */
export function readProxyAddress({ url, key, tools }: GivenAddress): ProxyAddress {
  const endpoint = readUrl(given(url) ?? DEFAULT_URL);
  endpoint.hash = '';
  endpoint.pathname = endpoint.pathname.replace(/\/+$/, '').replace(/(?<!\/mcp)$/, '/mcp');
  const sets = given(tools);
  if (sets !== undefined) endpoint.searchParams.set('tools', sets);
  else if (!endpoint.searchParams.has('tools')) endpoint.searchParams.set('tools', DEFAULT_TOOLS);
  const own = given(key);
  if (own !== undefined && !KEY.test(own)) throw new ProxyAddressError('the API key has characters that no key has');
  return { endpoint, key: own };
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new ProxyAddressError(`the address of the server must be one of http or https: ${text}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new ProxyAddressError('the address of the server must not hold a user or a password');
  }
  return url;
}

function given(value: string | undefined): string | undefined {
  const text = value?.trim();
  return text === undefined || text === '' || UNFILLED.test(text) ? undefined : text;
}
