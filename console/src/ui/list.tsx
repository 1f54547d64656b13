// What stands around a long list: the pill with what is new, and the way to more.
import {useEffect, useRef} from 'preact/hooks';
import type {Pages} from '../api/pages';

export const NewPill = <T,>({pages}: {pages: Pages<T>}) => (
  <div class="new-pill" role="status">
    {pages.fresh > 0 && (
      <button type="button" class="fade" onClick={() => (scrollTo(0, 0), pages.reload())}>
        {pages.fresh} new
      </button>
    )}
  </div>
);

// Loads more when it comes into view; a button for who does not scroll.
export function More<T>({pages}: {pages: Pages<T>}) {
  const box = useRef<HTMLDivElement>(null);
  const latest = useRef(pages.more);
  latest.current = pages.more;
  const wanted = pages.more !== undefined;
  useEffect(() => {
    if (!wanted || !box.current) return;
    const watch = new IntersectionObserver((seen) => seen.some((entry) => entry.isIntersecting) && latest.current?.(), {rootMargin: '300px'});
    watch.observe(box.current);
    return () => watch.disconnect();
  }, [wanted, pages.items?.length]);
  if (!wanted) return null;
  return (
    <div class="more" ref={box}>
      <button type="button" class="btn quiet" onClick={() => pages.more?.()}>More</button>
    </div>
  );
}
