import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { flatCost, type Operation, replayStoredAnswer } from '../../../src/api/calls/operation/operation.ts';
import { openApiDocument } from '../../../src/api/openapi/openapi-document.ts';
import { operations } from '../../../src/api/operations/index.ts';
import { toys } from '../http/toys.ts';

const documentOf = async (list: readonly Operation[]): Promise<any> => openApiDocument(list, 'https://sports.example');

describe('the description of the API', () => {
  it.each([
    ['the operations', operations],
    ['the toys', toys],
  ])('of %s is valid OpenAPI 3.1', async (_, list) => {
    const validator = new Validator();
    const result = await validator.validate(structuredClone(await documentOf(list)));
    expect(result).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it('names the version of the interface and the server', async () => {
    const document = await documentOf(operations);
    expect(document.info.version).toBe('1.0.0');
    expect(document.servers).toEqual([{ url: 'https://sports.example' }]);
  });

  it('has every operation, once', async () => {
    const document = await documentOf(operations);
    const ids = Object.values(document.paths).flatMap((path: any) =>
      Object.values(path).map((one: any) => one.operationId),
    );
    expect(ids.sort()).toEqual(operations.map(({ name }) => name).sort());
  });

  it.each([
    ['https://sports.example', '__Host-session'],
    ['http://127.0.0.1:8080', 'session'],
  ])('at %s lets an account’s own paths be called with the session %s too, and nothing else', async (baseUrl, name) => {
    const { paths, components } = (await openApiDocument(operations, baseUrl)) as any;
    expect(components.securitySchemes.session).toMatchObject({ type: 'apiKey', in: 'cookie', name });
    for (const [path, methods] of Object.entries<any>(paths)) {
      for (const { security = [{ bearer: [] }] } of Object.values<any>(methods)) {
        const takesSession = security.some((one: any) => 'session' in one);
        const isOwn = path.startsWith('/api/agent/') && security.length > 0;
        expect([path, takesSession]).toEqual([path, isOwn]);
      }
    }
  });

  it('lets the two paths be called without a key by which a program gets one, and no other', async () => {
    const { paths } = (await openApiDocument(operations, 'https://sports.example')) as any;
    const open = Object.entries<any>(paths).flatMap(([path, methods]) =>
      Object.values<any>(methods).flatMap(({ security, responses }) =>
        security?.length === 0 ? [[path, responses]] : [],
      ),
    );
    expect(open.map(([path]) => path)).toEqual(['/api/agent/trial', '/api/agent/trial/token']);
    for (const [, responses] of open) expect(responses).not.toHaveProperty('401');
  });

  it('describes parameters with their bounds and defaults', async () => {
    const { parameters } = (await documentOf(toys)).paths['/v1/things'].get;
    expect(parameters.find(({ name }: any) => name === 'limit')).toEqual({
      name: 'limit',
      in: 'query',
      required: false,
      description: 'How many to answer at most.',
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 25 },
    });
    const [id] = (await documentOf(toys)).paths['/v1/things/{id}'].get.parameters;
    expect(id).toMatchObject({ name: 'id', in: 'path', required: true, schema: { type: 'integer' } });
  });

  it('describes bodies, statuses and errors', async () => {
    const { post } = (await documentOf(toys)).paths['/v1/things'];
    expect(post.requestBody.content['application/json'].schema).toMatchObject({ type: 'object', required: ['name'] });
    expect(Object.keys(post.responses)).toEqual([
      '201',
      '400',
      '401',
      '402',
      '413',
      '415',
      '422',
      '429',
      '431',
      '500',
      '503',
    ]);
    expect(post.responses[422].content['application/json'].schema).toEqual({ $ref: '#/components/schemas/Error' });
    expect(Object.keys((await documentOf(toys)).paths['/v1/things/{id}'].delete.responses)).toContain('204');
  });

  it('shows which operations accept an Idempotency-Key', async () => {
    const make = toys.find(({ name }) => name === 'create_thing')!;
    const { paths } = await documentOf([
      { ...make, idempotency: replayStoredAnswer },
      { ...make, path: '/v1/others' },
    ]);
    const [header] = paths['/v1/things'].post.parameters;
    expect(header).toMatchObject({ name: 'Idempotency-Key', in: 'header', schema: { maxLength: 255 } });
    expect(header).not.toHaveProperty('required');
    const form = new RegExp(header.schema.pattern);
    expect(['k', 'a b', '"~!"'].filter((key) => !form.test(key))).toEqual([]);
    expect(['', ' ', ' k', 'k ', 'é', 'a\tb'].filter((key) => form.test(key))).toEqual([]);
    expect(paths['/v1/things'].post.responses[201].headers).toHaveProperty('Idempotency-Replayed');
    expect(JSON.stringify(paths['/v1/others'])).not.toContain('Idempotency');
    expect((await documentOf(operations)).paths['/api/agent/keys'].post.parameters).toContainEqual(header);
  });

  it('says what to know of an operation, what it costs, and that credits may lack for what costs any', async () => {
    const { paths } = await documentOf(operations);
    expect(paths['/v1/health'].get.description).toBe('Free.');
    expect(paths['/v1/events/{id}/score'].get.description).toMatch(/`get_event`\. 1 credit\.$/);
    expect(paths['/v1/health'].get.responses).not.toHaveProperty('402');
    // Its price depends on ids that are not known before.
    expect(paths['/v1/events/batch'].post.responses).toHaveProperty('402');
  });

  it('has the bounds of numbers that have some, and no others', async () => {
    const { paths, components } = await documentOf(operations);
    const parameters = JSON.stringify(Object.values(paths).map((path: any) => path.get?.parameters));
    // Ids beyond the range are refused; answers have none.
    expect(JSON.stringify(components.schemas)).not.toContain('9007199254740991');
    expect(parameters).toContain('"maximum":9007199254740991');
    expect(parameters).toContain('"minimum":1,"maximum":200');
  });

  it('shares schemas that have an id', async () => {
    const part = z.object({ x: z.int() }).meta({ id: 'Part' });
    const operation: Operation = {
      name: 'parts',
      method: 'GET',
      path: '/v1/parts',
      tag: 'Toys',
      summary: 'Parts',
      input: {},
      output: z.object({ one: part, all: z.array(part) }),
      cost: flatCost(1),
      run: async () => ({}),
    };
    const document = await documentOf([operation, { ...operation, name: 'part', path: '/v1/part', output: part }]);
    const schemaOf = (path: string) => document.paths[path].get.responses[200].content['application/json'].schema;
    const reference = { $ref: '#/components/schemas/Part' };
    expect(schemaOf('/v1/parts').properties).toEqual({ one: reference, all: { type: 'array', items: reference } });
    expect(document.components.schemas.Part).toMatchObject({ type: 'object', properties: { x: { type: 'integer' } } });
    expect(JSON.stringify(document)).not.toContain('$defs');
  });
});
