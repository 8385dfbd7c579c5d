import type { build } from 'esbuild';

/** Bundles the live page into `folder`; `root` is the project's. */
export function buildPage(build: typeof build, root: string, folder: string): Promise<void>;
