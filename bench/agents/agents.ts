import { deepStrictEqual, strictEqual } from 'node:assert';
import type { Benchmark, Figure } from '../benchmark.ts';
import { startServer } from '../server.ts';
import { createRanking } from './bm25.ts';
import { questionLog } from './question-log.ts';
import { QUESTIONS, type Question } from './questions.ts';

/** Characters of a token, as `max_tokens` counts them. */
const CHARACTERS = 4;
const COUNT = 200;

/**
 * A model that sees only names, descriptions and schemas picks a tool for each of 200 questions. Before: all tools, as
 * clients see them that name no toolset. After: the set that holds the right tool.
 */
export const agents: Benchmark = {
  name: 'agents',
  summary:
    '200 questions: how often the right tool is picked first by BM25, and how many tokens that takes, of long and short lists of tools',
  runs: 1,
  async run({ folder, say }) {
    strictEqual(QUESTIONS.length, COUNT);
    const server = await startServer({ folder });
    try {
      const talk = talkTo(server);
      await talk.feed(questionLog());
      const long = await talk.list('');
      const lists = new Map<string, readonly any[]>();
      for (const set of ['core', 'odds', 'stats', 'betting', 'account', 'all'])
        lists.set(set, await talk.list(`?tools=${set}`));
      const offered = ({ toolset }: Question) => lists.get(toolset)!;
      const before = picked(() => long, say);
      const after = picked(offered, say);
      const ofAll = picked(() => lists.get('all')!, say);
      const answers = { long: 0, short: 0 };
      for (const question of QUESTIONS) {
        answers.long += await answer(talk.call(''), question);
        answers.short += await answer(talk.call('?tools=core'), question);
      }
      const tokens = {
        before: tokensOf({ tools: long }) + answers.long / COUNT,
        after: mean(QUESTIONS.map((question) => tokensOf({ tools: offered(question) }))) + answers.short / COUNT,
      };
      const core = tokensOf({ tools: lists.get('core') });
      return [
        share('right tool first, of the set that holds it', after, before, 85),
        share('right tool first, of all tools in short', ofAll, before),
        {
          what: 'tokens of the list of tools: core',
          value: core,
          unit: 'tokens',
          floor: { what: 'without a toolset', value: tokensOf({ tools: long }) },
          goal: { of: 'ratio', bound: 'at most', number: 0.1 },
        },
        {
          what: 'tokens to an answer, the list read once for each question',
          value: tokens.after,
          unit: 'tokens',
          floor: { what: 'without a toolset', value: tokens.before },
        },
      ];
    } finally {
      await server.stop();
    }
  },
};

const share = (what: string, value: number, before: number, goal?: number): Figure => ({
  what,
  value,
  unit: '%',
  floor: { what: 'of all tools in long', value: before },
  ...(goal === undefined ? {} : { goal: { of: 'value', bound: 'at least', number: goal } }),
});

const tokensOf = (value: unknown): number => JSON.stringify(value).length / CHARACTERS;
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** In how many of 100 questions the right tool is ranked first. */
function picked(offered: (question: Question) => readonly any[], say: (text: string) => void): number {
  const rankings = new Map<readonly any[], ReturnType<typeof createRanking>>();
  let right = 0;
  for (const question of QUESTIONS) {
    const tools = offered(question);
    let rank = rankings.get(tools);
    if (!rank) {
      rank = createRanking(new Map(tools.map((tool) => [tool.name, textOf(tool)])));
      rankings.set(tools, rank);
    }
    const wanted = question.calls.at(-1)!.tool;
    const [first] = rank(question.text);
    if (first!.name === wanted) right++;
    else say(`${first!.name}, not ${wanted}: ${question.text}`);
  }
  return (100 * right) / QUESTIONS.length;
}

/** What a model sees of a tool. Its name weighs twice, as the title of a document does. */
const textOf = ({ name, description, inputSchema }: any): string =>
  `${name} ${name} ${description} ${JSON.stringify(inputSchema)}`;

type Call = (tool: string, given: object) => Promise<string>;

/** Makes the calls of a question and checks the answer. @returns the tokens of all answers */
async function answer(call: Call, { text, calls, answerOf, expected }: Question): Promise<number> {
  const answers: any[] = [];
  let tokens = 0;
  for (const { tool, given } of calls) {
    const told = await call(tool, given(answers));
    tokens += told.length / CHARACTERS;
    answers.push(JSON.parse(told));
  }
  deepStrictEqual(
    [text, answerOf(answers.at(-1))],
    [text, expected],
    `${text}: ${JSON.stringify(answers.at(-1)).slice(0, 600)}`,
  );
  return tokens;
}

function talkTo({ port, key, ingestKey }: { readonly port: number; readonly key: string; readonly ingestKey: string }) {
  const ask = async (search: string, method: string, params: object) => {
    const response = await fetch(`http://127.0.0.1:${port}/mcp${search}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return ((await response.json()) as { readonly result: any }).result;
  };
  return {
    async feed(messages: readonly object[]) {
      const response = await fetch(`http://127.0.0.1:${port}/ingest/v1/messages?wait=projected`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ingestKey}`, 'content-type': 'application/x-ndjson' },
        body: messages.map((message) => `${JSON.stringify(message)}\n`).join(''),
      });
      const report = (await response.json()) as { readonly accepted: number };
      strictEqual(report.accepted, messages.length, JSON.stringify(report).slice(0, 2000));
    },
    list: async (search: string): Promise<readonly any[]> => (await ask(search, 'tools/list', {})).tools,
    call:
      (search: string): Call =>
      async (name, given) => {
        const result = await ask(search, 'tools/call', { name, arguments: given });
        if (result.isError) throw new Error(`${name} ${JSON.stringify(given)}: ${result.content[0].text}`);
        return result.content[0].text;
      },
  };
}
