import { useEffect, useRef } from 'preact/hooks';
import { areKeysShown } from '../stores/keyboard.ts';

const KEYS = [
  ['/', 'Search the events'],
  ['j', 'Next event'],
  ['k', 'Previous event'],
  ['Enter', 'Open the event'],
  ['Esc', 'Back to the board'],
  ['?', 'These keys'],
] as const;

/** The keys of the page. */
export function KeysDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = areKeysShown.value;
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog
      ref={dialog}
      class="keys"
      aria-labelledby="keys-title"
      onClose={() => {
        areKeysShown.value = false;
      }}
    >
      <h2 id="keys-title">Keys</h2>
      <dl>
        {KEYS.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit" class="action">
          Close
        </button>
      </form>
    </dialog>
  );
}
