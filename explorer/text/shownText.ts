// What of a page is text: all of it goes through here, so that a name can't reorder or hide what is beside it.
import { options, type VNode } from 'preact';
import { toVisibleText } from '../../ledger/encoding/visible.ts';

/** Attributes whose value is read by people. What a person edits is in `value`, and stays as it is. */
const READ = ['title', 'aria-label', 'alt', 'placeholder', 'label'] as const;

type Props = Record<string, unknown>;

const show = (vnode: { type: unknown; props: unknown }): void => {
  // A text: its properties are the text itself.
  if (vnode.type === null && typeof vnode.props === 'string') vnode.props = toVisibleText(vnode.props);
  if (typeof vnode.type !== 'string') return;
  const props = vnode.props as Props;
  for (const name of READ) if (typeof props[name] === 'string') props[name] = toVisibleText(props[name]);
};

/** From now on, every text of the page has escapes such as `\u{202e}` for what isn't seen. */
export const showUnseenText = (): void => {
  const { vnode: before } = options;
  options.vnode = (vnode: VNode): void => {
    show(vnode as { type: unknown; props: unknown });
    before?.(vnode);
  };
};
