// What was done, said where a screen reader hears it.
import { useEffect, useRef, useState } from 'preact/hooks';

interface Saying {
  /** An object of its own for each thing that was done; undefined before the first. */
  readonly last: { readonly text: string } | undefined;
  /** Says it, and moves the focus there: what had it may be gone. */
  readonly say: (text: string) => void;
}

/** What `Said` shows. */
export const useSaying = (): Saying => {
  const [last, setLast] = useState<Saying['last']>(undefined);
  return { last, say: (text) => setLast({ text }) };
};

/** The last thing that was done; nothing before. */
export const Said = ({ saying: { last } }: { saying: Saying }) => {
  const node = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (last !== undefined) node.current?.focus();
  }, [last]);
  return (
    <p class="said" role="status" tabIndex={-1} ref={node} dir="auto">
      {last?.text}
    </p>
  );
};
