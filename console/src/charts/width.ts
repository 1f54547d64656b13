// The width a chart has, in pixels, so that its text keeps its size on every screen.
import {useLayoutEffect, useRef, useState} from 'preact/hooks';
import type {RefObject} from 'preact';

export function useWidth<T extends HTMLElement>(initial = 600): [RefObject<T | null>, number] {
  const box = useRef<T>(null);
  const [width, setWidth] = useState(initial);
  useLayoutEffect(() => {
    if (!box.current) return;
    const measure = (): void => setWidth(Math.max(200, Math.floor(box.current?.clientWidth ?? initial)));
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(box.current);
    return () => watch.disconnect();
  }, []);
  return [box, width];
}
