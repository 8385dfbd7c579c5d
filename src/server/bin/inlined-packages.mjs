import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Packages of many small files. To find and read each of them takes a fifth of the processor time of a start, so the
 * build has them in its own files, with all that they import.
 */
const INLINED = ['@modelcontextprotocol/sdk', '@modelcontextprotocol/server', 'kysely', 'nodemailer', 'zod'];

const packageOf = (specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)[0];
const isBuiltin = (specifier) => specifier.startsWith('node:') || builtinModules.includes(specifier);

/** A plugin of esbuild: every other package stays outside of the build. */
export const inlinePackages = {
  name: 'inline-packages',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path, kind, importer }) => {
      const isInside = /[\\/]node_modules[\\/]/.test(importer);
      if (kind === 'entry-point') return undefined;
      if (isBuiltin(path)) {
        // A module has no `require`.
        if (kind !== 'require-call') return { path, external: true };
        return { errors: [{ text: `${importer} requires ${path}: its package cannot be inlined` }] };
      }
      return isInside || INLINED.includes(packageOf(path)) ? undefined : { path, external: true };
    });
  },
};

/**
 * Puts the licences of the packages that a build holds beside it.
 * @param inputs the files that went into the build, from its root
 */
export function copyLicences(inputs, root, folder) {
  const packages = new Set(inputs.flatMap((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []));
  for (const one of [...packages].sort()) {
    const { name } = JSON.parse(readFileSync(join(root, one, 'package.json'), 'utf8'));
    const licence = readdirSync(join(root, one)).find((file) => /^licen[cs]e/i.test(file));
    if (licence === undefined) continue;
    const copy = join(folder, 'licences', `${name}.txt`);
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(join(root, one, licence), copy);
  }
}
