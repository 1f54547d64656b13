// Dialogs on the browser's own <dialog>: it keeps the focus inside and gives it back.
import {signal} from '@preact/signals';
import type {ComponentChildren} from 'preact';
import {useLayoutEffect, useRef} from 'preact/hooks';

const open = signal<{key: number; content: () => ComponentChildren} | undefined>(undefined);
let lastKey = 0;

export function showDialog(content: () => ComponentChildren): void {
  open.value = {key: ++lastKey, content};
}
export const closeDialog = (): void => void (open.value = undefined);
export const DialogHost = () => open.value && <open.value.content key={open.value.key} />;

interface DialogProps {
  title: string;
  action?: string; // of the main button; without one there is only Close
  danger?: boolean;
  wide?: boolean;
  disabled?: boolean;
  onSubmit?: () => void | Promise<unknown>; // false keeps the dialog open
  extra?: ComponentChildren;
  children: ComponentChildren;
}

export function Dialog({title, action, danger, wide, disabled, onSubmit, extra, children}: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  // Before the next key comes: whoever types on at once must not type into the page below.
  useLayoutEffect(() => box.current?.showModal(), []);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (disabled) return;
    if ((await onSubmit?.()) !== false) closeDialog();
  };
  return (
    <dialog ref={box} class={wide ? 'wide' : ''} onClose={closeDialog} aria-label={title} onClick={(event) => event.target === box.current && closeDialog()}>
      <form onSubmit={submit}>
        <h1>{title}</h1>
        {children}
        <div class="buttons">
          {extra}
          {extra && <span class="grow" />}
          <button type="button" class="btn" onClick={closeDialog}>{action ? 'Not now' : 'Close'}</button>
          {action && <button type="submit" class={`btn ${danger ? 'danger' : 'main'}`} disabled={disabled}>{action}</button>}
        </div>
      </form>
    </dialog>
  );
}
