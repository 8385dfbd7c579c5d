import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface Props {
  readonly name: string;
  readonly note?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A part of the event's story under a heading. */
export function Panel({ name, note, children }: Props) {
  const id = useId();
  return (
    <section class="panel" aria-labelledby={id}>
      <header class="panel-head">
        <h2 id={id}>{name}</h2>
        {note && <p class="panel-note">{note}</p>}
      </header>
      {children}
    </section>
  );
}
