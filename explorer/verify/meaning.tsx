// What an answer of the page means, and what the page itself is worth.

const ANSWERS = [
  [
    'On the ledger',
    'the node says that the contract has exactly this event. Those who run the node could make it say so.',
  ],
  ['Proved', 'by the roots of trust that you chose, and by nobody else’s word.'],
  ['Consistent', 'the proofs hold together, but the maker of the file could have made up the whole chain.'],
  ['Rejected', 'the file says something else than the ledger, or contradicts itself.'],
] as const;

const UNPROVED = [
  'That a record is true: a ledger proves who wrote what, and when.',
  'Who a person was: a key signs, and the server names the person.',
  'That the ledger has nothing else: only evidence of a history or of a list proves that nothing was left out.',
  'What came after the block that the answer names.',
];

const COMMANDS = `sha256sum verify.html                   # Linux
shasum -a 256 verify.html               # macOS
certutil -hashfile verify.html SHA256   # Windows`;

/** Explains the answers. */
export const Meaning = () => (
  <>
    <h2>What an answer means</h2>
    <ul>
      {ANSWERS.map(([word, text]) => (
        <li key={word}>
          <strong>{word}</strong>: {text}
        </li>
      ))}
    </ul>
    <h2>What no answer proves</h2>
    <ul>
      {UNPROVED.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  </>
);

/** Says how a person finds out whether this file is the genuine one. */
export const Genuine = () => (
  <>
    <h2>Is this page the genuine one?</h2>
    <p>
      A changed file can show anything, and the operator who serves it can change it. Get it from a source that you
      trust, or compare its SHA-256 with the one that others publish. From the source code of the same version,{' '}
      <code>npm run build:explorer</code> makes the same file, <code>explorer/dist/verify.html</code>, and prints its
      SHA-256.
    </p>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keyboard. */}
    <pre tabIndex={0}>{COMMANDS}</pre>
  </>
);
