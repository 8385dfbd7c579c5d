import { rpc, type Said, say, type Talked } from '../mcp-client.ts';

export const VERSION = '2026-07-28';
const PREFIX = 'io.modelcontextprotocol';

/** `_meta` of a request of this revision. */
export const envelope = (version: unknown = VERSION) => ({
  [`${PREFIX}/protocolVersion`]: version,
  [`${PREFIX}/clientCapabilities`]: {},
  [`${PREFIX}/clientInfo`]: { name: 'test', version: '1' },
});
export const SERVER_INFO = `${PREFIX}/serverInfo`;
export const SUBSCRIPTION_ID = `${PREFIX}/subscriptionId`;

interface Asked extends Said {
  /** More of `_meta`. */
  readonly meta?: object;
  readonly id?: string | number;
}

/** The message and the headers that a client of this revision sends. */
export function modernRequest(method: string, params: Record<string, unknown> = {}, { meta = {}, id = 1 }: Asked = {}) {
  const name = params['name'] ?? params['uri'];
  return {
    message: rpc(method, { ...params, _meta: { ...envelope(), ...meta } }, id),
    headers: {
      'mcp-protocol-version': VERSION,
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    },
  };
}

/** Sends a request as clients of this revision do. */
export function ask(talked: Talked, method: string, params: Record<string, unknown> = {}, asked: Asked = {}) {
  const { message, headers } = modernRequest(method, params, asked);
  return say(talked, message, { ...asked, headers: { ...headers, ...asked.headers } });
}

export const callTool = (talked: Talked, name: string, args: object = {}, asked: Asked = {}) =>
  ask(talked, 'tools/call', { name, arguments: args }, asked);
