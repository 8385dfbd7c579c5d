import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toolsOf } from '../../../src/api/mcp/tools.ts';
import { TOOLSETS, type ToolsetName } from '../../../src/api/mcp/toolsets.ts';
import { operations } from '../../../src/api/operations/index.ts';
import { type AgentServer, serveAgent } from '../agent/serving.ts';
import { rpc, say } from './mcp-client.ts';
import { ask } from './modern/modern-client.ts';

let server: AgentServer;
beforeAll(async () => {
  server = await serveAgent();
});
afterAll(() => server.close());

const tools = [...toolsOf(operations).keys()];
const sets = Object.keys(TOOLSETS) as ToolsetName[];
const tokensOf = (value: unknown) => JSON.stringify(value).length / 4;

async function listed(search: string): Promise<readonly any[]> {
  const { body } = await ask(server, 'tools/list', {}, { search });
  return body.result.tools;
}
const names = (list: readonly any[]) => list.map(({ name }) => name as string);

describe('toolsets', () => {
  it('hold every tool, and no other', () => {
    const held = new Set<string>(sets.flatMap((name) => TOOLSETS[name]));
    expect([...held].sort()).toEqual([...tools].sort());
  });

  it.each(sets)('`tools=%s` lists its tools, in the order of all', async (set) => {
    const wanted = new Set<string>(TOOLSETS[set]);
    expect(names(await listed(`?tools=${set}`))).toEqual(tools.filter((name) => wanted.has(name)));
  });

  it('can be joined, in any order and with blanks', async () => {
    const joined = await listed('?tools=account,%20odds');
    expect(joined).toEqual(await listed('?tools=odds,account'));
    const wanted = new Set<string>([...TOOLSETS.odds, ...TOOLSETS.account]);
    expect(names(joined)).toEqual(tools.filter((name) => wanted.has(name)));
  });

  it('`all` lists every tool', async () => {
    expect(names(await listed('?tools=all'))).toEqual(tools);
    expect(names(await listed('?tools=odds,all'))).toEqual(tools);
  });

  it('of `core` cost a model at most 3,000 tokens, for at most 12 tools', async () => {
    const core = await listed('');
    expect(core).toEqual(await listed('?tools=core'));
    expect(core.length).toBeLessThanOrEqual(12);
    expect(tokensOf({ tools: core })).toBeLessThanOrEqual(3000);
  });
});

describe('a short tool', () => {
  it('is described in one sentence and its price', async () => {
    for (const { name, description } of await listed('?tools=all')) {
      const { summary, brief = summary, cost } = operations.find((one) => one.name === name)!;
      const sentence = brief.replace(/\.$/, '');
      expect(sentence).not.toMatch(/[.!?] [A-Z]/);
      expect(description).toBe(`${sentence}. ${cost.description.replace(/\.$/, '')}.`);
    }
  });

  it('has the parameters of the long one, required the same, and what the instructions describe is not said again', async () => {
    const long = (await say(server, rpc('tools/list'))).body.result.tools;
    const instructions: string = (await ask(server, 'server/discover')).body.result.instructions;
    for (const [index, short] of (await listed('?tools=all')).entries()) {
      const { properties, required } = long[index].inputSchema;
      const own = short.inputSchema.properties;
      expect(Object.keys(own)).toEqual(expect.arrayContaining(Object.keys(properties)));
      expect(short.inputSchema.required).toEqual(required);
      for (const [name, schema] of Object.entries<any>(own)) {
        if (schema.description === undefined && schema.type !== 'boolean') expect(instructions).toContain(`${name}: `);
      }
    }
  });

  it('has an output schema only with `schemas=full`', async () => {
    expect((await listed('?tools=all')).some((tool) => 'outputSchema' in tool)).toBe(false);
    const full = await listed('?tools=all&schemas=full');
    expect(full.filter((tool) => 'outputSchema' in tool).length).toBeGreaterThan(40);
  });

  it('is what a client of the other era gets that names a set', async () => {
    const { body } = await say(server, rpc('tools/list'), { search: '?tools=odds' });
    expect(body.result.tools).toEqual(await listed('?tools=odds'));
  });
});
