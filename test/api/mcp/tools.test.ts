import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../../src/api/operations/index.ts';
import { type AgentServer, serveAgent } from '../agent/serving.ts';
import { dayOfSport } from '../openapi/day-of-sport.ts';
import { callOf, outcomeOf, rpc, say } from './mcp-client.ts';

let server: AgentServer;
let tools: readonly any[];
let listing: string;
const tool = (name: string) => tools.find((one) => one.name === name);
beforeAll(async () => {
  server = await serveAgent();
  await server.feed(...dayOfSport(server.clock.time));
  const heard = await say(server, rpc('tools/list'));
  listing = heard.text;
  tools = heard.body.result.tools;
});
afterAll(() => server.close());

const openApi = async (): Promise<any> => (await fetch(`${server.url}/openapi.json`)).json();

const NOT_TOOLS = [
  'stream_scores',
  'stream_changes',
  'list_estimate_tools',
  'create_key',
  'revoke_key',
  'top_up_credits',
  'get_usage',
  'list_ledger',
  'create_link',
  'list_links',
  'delete_link',
  'get_my_books',
  'put_my_books',
  'start_trial',
  'finish_trial',
];

describe('tools/list', () => {
  it('has every operation with one answer, and of the account those that read, as the OpenAPI document orders them', async () => {
    const { paths } = await openApi();
    const ids = Object.values<any>(paths).flatMap((path) => Object.values<any>(path).map((one) => one.operationId));
    expect(tools.map(({ name }) => name)).toEqual(ids.filter((id) => !NOT_TOOLS.includes(id)));
    expect(ids.length - tools.length).toBe(NOT_TOOLS.length);
    for (const name of ['list_keys', 'get_credits', 'list_credit_packs']) expect(tool(name)).toBeDefined();
  });

  it('has the tools that can be estimated', async () => {
    expect((await server.get('/v1/estimate/tools')).tools).toEqual(tools.map(({ name }) => name));
  });

  it('is one page, the same for every key', async () => {
    const { key } = await server.newKey({ scopes: ['nba'] });
    expect((await say(server, rpc('tools/list', {}), { key })).text).toBe(listing);
    expect(JSON.parse(listing).result).not.toHaveProperty('nextCursor');
  });

  it('describes each in at most 300 characters, with its price', () => {
    for (const { name, description } of tools) {
      expect(description.length, name).toBeLessThanOrEqual(300);
      expect(description).toContain(operations.find((one) => one.name === name)!.cost.description);
      expect(description).toMatch(/^[A-Z\d][^\n]*\.$/);
    }
  });

  it('shows what a call changes', () => {
    const read = (name: string) => ({ title: tool(name).title, readOnlyHint: true, openWorldHint: false });
    const webhooks = ['create_webhook', 'delete_webhook', 'test_webhook', 'rotate_webhook_secret', 'replay_webhook'];
    const changes = ['add_bets', 'delete_bet', 'create_experiment', 'end_experiment', ...webhooks];
    for (const { name, title, annotations } of tools) {
      expect(title).toMatch(/^[A-Z][a-z ]+$/);
      if (!changes.includes(name)) expect([name, annotations]).toEqual([name, read(name)]);
    }
    const hints = Object.fromEntries(
      changes.map((name) => {
        const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = tool(name).annotations;
        return [name, [readOnlyHint, destructiveHint, idempotentHint, openWorldHint]];
      }),
    );
    expect(hints).toEqual({
      add_bets: [false, false, false, false],
      delete_bet: [false, true, true, false],
      create_experiment: [false, false, false, false],
      end_experiment: [false, false, false, false],
      create_webhook: [false, false, false, false],
      delete_webhook: [false, true, true, false],
      test_webhook: [false, false, false, false],
      rotate_webhook_secret: [false, true, false, false],
      replay_webhook: [false, false, false, false],
    });
  });
});

describe('inputSchema', () => {
  it('is JSON Schema 2020-12 of a flat object, that refers to nothing elsewhere', () => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    for (const { name, inputSchema } of tools) {
      expect(inputSchema.type, name).toBe('object');
      expect(ajv.validateSchema(inputSchema), name).toBe(true);
      expect(JSON.stringify(inputSchema)).not.toMatch(/"\$ref":"(?!#\/\$defs\/)/);
      expect(Object.keys(inputSchema.properties)).not.toContain('api_key');
      expect(Object.keys(inputSchema.properties)).not.toContain('Idempotency-Key');
      for (const [member, schema] of Object.entries<any>(inputSchema.properties)) {
        expect(undescribedMembers(member, schema), name).toEqual([]);
      }
    }
  });

  /** The arguments below this one that nobody describes. */
  function undescribedMembers(path: string, { description, properties = {}, items, anyOf = [], $ref }: any): string[] {
    const own = description || $ref ? [] : [path];
    const inner = [items ?? {}, ...anyOf].flatMap((one: any) => Object.entries(one.properties ?? {}));
    const members = [...Object.entries(properties), ...inner];
    return [...own, ...members.flatMap(([name, one]) => undescribedMembers(`${path}.${name}`, one))];
  }

  it('has one type for each kind of argument: ids are integers, but for those of receipts and experiments', () => {
    const idsOf = ({ properties = {}, items, anyOf = [] }: any): (readonly [string, any])[] =>
      [...Object.entries<any>(properties)].flatMap(([name, one]) => [
        ...(/(?:^|_)ids?$/.test(name) ? [[name, one] as const] : []),
        ...[one, one.items ?? {}, ...(one.anyOf ?? [])].flatMap(idsOf),
        ...[items ?? {}, ...anyOf].flatMap(idsOf),
      ]);
    for (const { name, inputSchema } of tools) {
      for (const [member, { type, items }] of idsOf(inputSchema)) {
        const isText = ['get_grade_receipt', 'get_experiment', 'end_experiment'].includes(name);
        const types = [type].flat().filter((one) => one !== 'null');
        const allowed = isText ? ['string'] : ['integer', 'array'];
        expect(
          types.filter((one) => !allowed.includes(one)),
          `${name}.${member}`,
        ).toEqual([]);
        if (types.includes('array')) expect(items.type, `${name}.${member}`).toBe('integer');
      }
    }
  });

  it('describes each member as the OpenAPI document does', async () => {
    const { paths } = await openApi();
    const documented = Object.values<any>(paths).flatMap((path) => Object.values<any>(path));
    for (const { name, inputSchema } of tools) {
      const { parameters = [], requestBody } = documented.find(({ operationId }) => operationId === name);
      const expected: Record<string, unknown> = {};
      for (const { name: member, in: place, description, schema } of parameters) {
        // A tool answers JSON alone; `fields` is not listed.
        if (place === 'header' || member === 'format' || member === 'fields') continue;
        // A list in a URL; a tool takes a single id too.
        const type = schema.type === 'array' ? { type: ['integer', 'array'] } : {};
        expected[member] = { ...schema, ...type, ...(description ? { description } : {}) };
      }
      const { fields: _, ...members } = requestBody?.content['application/json'].schema.properties ?? {};
      Object.assign(expected, members);
      expect([name, inputSchema.properties]).toEqual([name, shortened(expected)]);
    }
  });

  /** Without bounds that every integer has, and with one list of types where there is a choice of two. */
  function shortened(schema: any): any {
    if (Array.isArray(schema)) return schema.map(shortened);
    if (typeof schema !== 'object' || schema === null) return schema;
    const { anyOf, ...rest } = schema;
    const [one, other] = (anyOf ?? []).map(shortened);
    const merged =
      anyOf?.length > 2
        ? { anyOf: anyOf.map(shortened) }
        : other?.type === 'null'
          ? { ...one, ...(one.enum ? { enum: [...one.enum, null] } : { type: [one.type, 'null'].flat() }) }
          : { ...other, ...(other ? { type: [one.type, other.type] } : {}) };
    if (one?.enum && other?.type === 'null') delete merged.type;
    const isBound = (name: string, value: unknown) =>
      (/^(?:min|max)imum$/.test(name) && Math.abs(value as number) === Number.MAX_SAFE_INTEGER) ||
      (name === 'minLength' && value === 0);
    const own = Object.entries(rest).filter(([name, value]) => !isBound(name, value));
    return { ...merged, ...Object.fromEntries(own.map(([name, value]) => [name, shortened(value)])) };
  }

  /** What may be left out beside something else. */
  const SOMETIMES_REQUIRED: Readonly<Record<string, readonly string[]>> = {
    resolve_team: ['query'],
    list_mappings: ['source', 'ref'],
  };

  it('requires exactly what a call without it answers 422 to', async () => {
    for (const { name, inputSchema } of tools) {
      const { isError, error } = outcomeOf(await say(server, callOf(name, {})));
      // It needs `legs` or `text`, which no list of required members can say.
      if (name === 'grade_slip') continue;
      const missing = isError && error.status === 422 ? error.errors.map(({ loc }: any) => loc.at(-1)) : [];
      const always = missing.filter((member: string) => !SOMETIMES_REQUIRED[name]?.includes(member));
      expect([name, inputSchema.required ?? []]).toEqual([name, always]);
    }
  });

  it('knows ids by their REST names', () => {
    expect(tool('get_event').inputSchema.required).toEqual(['id']);
    expect(tool('create_webhook').inputSchema.properties).toHaveProperty('event_id');
    expect(tool('delete_webhook').inputSchema.required).toEqual(['id']);
  });
});

describe('outputSchema', () => {
  it('leaves what another tool answers to that tool', () => {
    const { odds, intelligence, status } = tool('get_event').outputSchema.properties;
    expect([odds, intelligence].map(({ $ref }: any) => $ref)).toEqual(['#/$defs/Odds', '#/$defs/Intelligence']);
    expect(status.enum).toContain('final');
    const { Odds, Intelligence, Bet } = tool('get_event').outputSchema.$defs;
    expect(Odds).toEqual({ type: 'object', description: 'As `get_odds` answers.' });
    expect(Intelligence).toEqual({ type: 'object', description: 'As `get_intelligence` answers.' });
    expect(Bet).toBeUndefined();
    expect(tool('get_intelligence').outputSchema.properties).toHaveProperty('bets');
    expect(tool('get_intelligence').outputSchema.$defs).toHaveProperty('Bet');
  });

  it('is of an object, of every tool that answers with one', () => {
    for (const { name, outputSchema } of tools) {
      if (['delete_webhook', 'delete_bet'].includes(name)) expect(outputSchema).toBeUndefined();
      else expect([name, outputSchema.type]).toEqual([name, 'object']);
    }
  });

  it('marks what may be null by its types, and describes times by their format only', () => {
    const { result_type, starts_at } = tool('list_events').outputSchema.$defs.EventListItem.properties;
    expect(starts_at).toEqual({ type: 'string', format: 'date-time' });
    expect(result_type).toEqual({ enum: ['regulation', 'overtime', 'shootout', 'retired', 'walkover', null] });
    const { recorded_at } = tool('list_mappings').outputSchema.$defs.Mapping.properties.refs.items.properties;
    expect(recorded_at).toMatchObject({ type: ['string', 'null'], format: 'date-time' });
    expect(recorded_at.description).toContain('bound');
  });

  it('has everything that the members of an answer refer to', () => {
    for (const { outputSchema } of tools) {
      const text = JSON.stringify(outputSchema ?? {});
      for (const [, name] of text.matchAll(/"\$ref":"#\/\$defs\/(\w+)"/g)) {
        expect(outputSchema.$defs).toHaveProperty(name!);
      }
      expect(text).not.toMatch(/"\$ref":"(?!#\/\$defs\/)/);
    }
  });
});
