import { isObject } from './answer-messages.ts';

const VERSION_META_KEY = 'io.modelcontextprotocol/protocolVersion';

/** The member of the params that `Mcp-Name` repeats, by method. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** What is plain enough for a header: visible ASCII, with blanks inside only. */
const PLAIN = /^[!-~](?:[\t -~]*[!-~])?$/;
const LIKE_SENTINEL = /^=\?base64\?.*\?=$/s;

/** As the protocol writes values that a header cannot hold. */
export const headerValue = (value: string): string =>
  PLAIN.test(value) && !LIKE_SENTINEL.test(value)
    ? value
    : `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`;

/**
 * The headers with which streamable HTTP repeats a message. Since the revision 2026-07-28 each request carries its
 * version, and further headers are required. Before, the version is the one that was agreed on.
 * @param agreed with `initialize`; undefined before
 */
export function messageHeaders(
  method: string,
  params: Readonly<Record<string, unknown>>,
  agreed: string | undefined,
): Readonly<Record<string, string>> {
  const meta = params['_meta'];
  const claimed = isObject(meta) ? meta[VERSION_META_KEY] : undefined;
  if (claimed === undefined) {
    return agreed === undefined || method === 'initialize' ? {} : { 'MCP-Protocol-Version': agreed };
  }
  const member = Object.hasOwn(NAMED_BY, method) ? NAMED_BY[method] : undefined;
  const name = member === undefined ? undefined : params[member];
  return {
    // A header that cannot be written is left out, and the server says what is wrong.
    ...(typeof claimed === 'string' && PLAIN.test(claimed) ? { 'MCP-Protocol-Version': claimed } : {}),
    ...(PLAIN.test(method) ? { 'Mcp-Method': method } : {}),
    ...(typeof name === 'string' ? { 'Mcp-Name': headerValue(name) } : {}),
  };
}
