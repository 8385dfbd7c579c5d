import type { ComponentChildren } from 'preact';

interface Props {
  readonly title: string;
  readonly children: ComponentChildren;
}

/** Shown in place of content that is missing. */
export const Notice = ({ title, children }: Props) => (
  <section class="notice">
    <h1>{title}</h1>
    {children}
  </section>
);
