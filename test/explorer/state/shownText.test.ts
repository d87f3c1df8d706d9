// Every text of a page, as the renderer gives it to the document.
import { expect } from 'chai';
import { h, options, render } from 'preact';
import { showUnseenText } from '../../../explorer/text/shownText.ts';

const OVERRIDE = 'a\u202eb\u009b\u200bc';
const SHOWN = 'a\\u{202e}b\\u{9b}\\u{200b}c';

/** As much of a document as the renderer needs: it keeps what it is given. */
const createNode = (fields: object = {}) => {
  const node = {
    ...fields,
    nodeType: 1,
    childNodes: [] as object[],
    attributes: {} as Record<string, unknown>,
    insertBefore: (child: object) => node.childNodes.push(child),
    setAttribute: (name: string, value: unknown) => {
      node.attributes[name] = value;
    },
    removeAttribute: () => undefined,
    firstChild: null,
    nextSibling: null,
  };
  return node;
};

describe('the texts of a page', () => {
  const { vnode } = options;
  const texts: string[] = [];
  const elements: ReturnType<typeof createNode>[] = [];

  before(() => {
    const ownerDocument = {
      createTextNode: (data: string) => {
        texts.push(data);
        return { nodeType: 3, data };
      },
      createElementNS: (_namespace: string, localName: string) => {
        const element = createNode({ localName, ownerDocument });
        elements.push(element);
        return element;
      },
    };
    Object.assign(globalThis, { document: ownerDocument });
    showUnseenText();
    const Named = () => h('b', { title: OVERRIDE }, ['Name: ', OVERRIDE, '\n']);
    const field = h('input', { value: OVERRIDE });
    render(h('p', null, h(Named, null), field, OVERRIDE), createNode({ ownerDocument }) as unknown as Element);
  });
  after(() => {
    options.vnode = vnode!;
    Reflect.deleteProperty(globalThis, 'document');
  });

  it('show what is not seen as an escape', () => {
    expect(texts).to.have.members(['Name: ', SHOWN, '\n', SHOWN]);
    const shown = elements.map((element) => JSON.stringify(element));
    expect(shown.some((text) => text.includes(JSON.stringify(SHOWN)))).to.equal(true);
  });

  it('leave what a person edits as it is', () => {
    const input = elements.find((element) => (element as { localName?: string }).localName === 'input');
    expect({ ...input, ...input?.attributes }).to.include({ value: OVERRIDE });
  });
});
