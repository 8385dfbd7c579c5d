/** esbuild writes the styles that `main.tsx` imports to a file beside its script. */
declare module '*.css';
