import type { ComponentChildren } from 'preact';

/** For those who hear the page. */
export const Hidden = ({ children }: { readonly children: ComponentChildren }) => (
  <span class="hidden-text">{children}</span>
);
