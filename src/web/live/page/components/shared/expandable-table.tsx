import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

interface Props {
  readonly summary: string;
  readonly children: ComponentChildren;
}

/** A table that is rendered only while it is open. */
export function ExpandableTable({ summary, children }: Props) {
  const isOpen = useSignal(false);
  return (
    <details
      class="story-table"
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary>{summary}</summary>
      {isOpen.value && children}
    </details>
  );
}
