import type { ComponentChildren } from 'preact';

interface Props {
  readonly title: string;
  readonly children: ComponentChildren;
}

/** In place of what cannot be shown. */
export const Notice = ({ title, children }: Props) => (
  <section class="notice">
    <h1>{title}</h1>
    {children}
  </section>
);
