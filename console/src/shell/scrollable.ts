// What scrolls sideways must be reachable by keyboard: a table wider than its box takes the focus.
import type {RefObject} from 'preact';
import {useEffect, useRef} from 'preact/hooks';

function mark(main: HTMLElement): void {
  for (const box of main.querySelectorAll<HTMLElement>('.table:not([role])')) {
    if (box.scrollWidth > box.clientWidth + 1) box.tabIndex = 0;
    else box.removeAttribute('tabindex');
  }
}

export function useScrollable(): RefObject<HTMLElement | null> {
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    const box = main.current;
    if (!box) return;
    let asked = 0;
    const soon = (): void => {
      cancelAnimationFrame(asked);
      asked = requestAnimationFrame(() => mark(box));
    };
    const resized = new ResizeObserver(soon);
    const changed = new MutationObserver(soon);
    resized.observe(box);
    changed.observe(box, {childList: true, subtree: true});
    return () => {
      resized.disconnect();
      changed.disconnect();
    };
  });
  return main;
}
