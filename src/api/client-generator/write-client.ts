import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from '../openapi/openapi-document.ts';
import { operations } from '../operations/index.ts';
import { generateClientSource } from './client-source.ts';

/** Generates the client's source from the current operations: file contents by file name. */
export const currentClientSource = () =>
  generateClientSource(openApiDocument(operations, 'https://ledgerline.example'));

/** Writes the generated source of the client into a folder. @returns the files written */
export async function writeClient(folder: string): Promise<readonly string[]> {
  const files = Object.entries(await currentClientSource());
  return files.map(([name, text]) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  });
}
