// Calls a hook of the explorer's pages without a browser: in a component that shows nothing.
import { type ComponentType, h, options, render } from 'preact';
import { useState } from 'preact/hooks';
import { LocationProvider } from 'preact-iso';
import { atFileEnd } from '../../support/fileEnd.ts';

/** A hook in use. */
export interface RenderedHook<T> {
  /** What it returned last. */
  current(): T;
  /** Calls it again. */
  rerender(): Promise<void>;
}

// As much of an element as a component without elements of its own needs.
const createParent = (): Element => ({ nodeType: 1, childNodes: [], firstChild: null }) as unknown as Element;

/** Lets what was answered be rendered, and effects happen. */
export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
};

/**
 * Calls a hook as a page does, until the tests of the file have ended.
 * @param location what `useLocation` returns, where the hook asks for it
 */
export const renderHook = async <T>(hook: () => T, location: object = {}): Promise<RenderedHook<T>> => {
  options.requestAnimationFrame = queueMicrotask;
  let current: T;
  let renderAgain: () => void;
  const Page = () => {
    const [, setVersion] = useState(0);
    renderAgain = () => setVersion((last) => last + 1);
    current = hook();
    return null;
  };
  const { Provider } = (LocationProvider as unknown as { ctx: { Provider: ComponentType<{ value: object }> } }).ctx;
  const parent = createParent();
  render(h(Provider, { value: location }, h(Page, {})), parent);
  atFileEnd(async () => render(null, parent));
  await settle();
  return {
    current: () => current,
    rerender: () => {
      renderAgain();
      return settle();
    },
  };
};
