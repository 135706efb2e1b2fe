/** MoreButton: the end of a list of which a part is shown. It asks for the next part by itself when it comes into sight. */
import { useEffect, useRef } from "preact/hooks";
import { count } from "../words.ts";

interface MoreButtonProps {
  /** How many are not shown yet. */
  readonly left: number;
  readonly onMore: () => void;
}

export function MoreButton({ left, onMore }: MoreButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const latest = useRef(onMore);
  latest.current = onMore;
  useEffect(() => {
    const seen = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) latest.current();
    });
    if (button.current) seen.observe(button.current);
    return () => seen.disconnect();
  }, [left]);
  if (left <= 0) return null;
  return (
    <button type="button" ref={button} onClick={onMore}>
      Show more ({count(left)} left)
    </button>
  );
}
