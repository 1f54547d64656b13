// A button with a list of actions behind it; arrow keys move, Escape closes.
import {useEffect, useRef, useState} from 'preact/hooks';

export type MenuEntry = {text: string; run?: () => void; to?: string} | 'line';

export function Menu({label, text = 'More', small, entries}: {label: string; text?: string; small?: boolean; entries: MenuEntry[]}) {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return;
    const away = (event: Event): void => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', away);
    items()[0]?.focus();
    return () => document.removeEventListener('pointerdown', away);
  }, [open]);
  const items = (): HTMLElement[] => [...(box.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
  const onKey = (event: KeyboardEvent): void => {
    if (!open) return;
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    if (event.key === 'Escape') {
      setOpen(false);
      box.current?.querySelector('button')?.focus();
    } else if (event.key === 'ArrowDown') all[(at + 1) % all.length]?.focus();
    else if (event.key === 'ArrowUp') all[(at - 1 + all.length) % all.length]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="menu" ref={box} onKeyDown={onKey}>
      <button type="button" class={small ? 'btn small' : 'btn'} aria-haspopup="menu" aria-expanded={open} aria-label={label} onClick={() => setOpen(!open)}>
        {text} <span aria-hidden="true">▾</span>
      </button>
      {open && (
        <div role="menu" aria-label={label} class="fade">
          {entries.map((entry, i) =>
            entry === 'line' ? (
              <div key={i} role="separator" />
            ) : entry.to ? (
              <a key={i} role="menuitem" href={entry.to} onClick={() => setOpen(false)}>{entry.text}</a>
            ) : (
              <button key={i} type="button" role="menuitem" onClick={() => (setOpen(false), entry.run?.())}>{entry.text}</button>
            ),
          )}
        </div>
      )}
    </div>
  );
}
