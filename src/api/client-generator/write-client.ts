import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from '../openapi/openapi-document.ts';
import { operations } from '../operations/index.ts';
import { generatePythonSource } from './python-source.ts';
import { generateTypeScriptSource } from './typescript-source.ts';

/** Folders of the generated source, from the root of the project. */
export const GENERATED_FOLDERS = {
  typescript: 'src/api/client/generated',
  python: 'clients/python/ledgerline/generated',
} as const;

/** Generates the source of both clients from the current operations: file contents by file name, by language. */
export async function currentClientSource(): Promise<
  Readonly<Record<keyof typeof GENERATED_FOLDERS, Readonly<Record<string, string>>>>
> {
  const document = await openApiDocument(operations, 'https://ledgerline.example');
  return { typescript: await generateTypeScriptSource(document), python: generatePythonSource(document) };
}

/** Writes the generated source of both clients. @param root of the project @returns the files written */
export async function writeClient(root: string): Promise<readonly string[]> {
  const sources = await currentClientSource();
  return Object.entries(sources).flatMap(([language, files]) => {
    const folder = join(root, GENERATED_FOLDERS[language as keyof typeof sources]);
    mkdirSync(folder, { recursive: true });
    return Object.entries(files).map(([name, text]) => {
      const file = join(folder, name);
      writeFileSync(file, text);
      return file;
    });
  });
}
