// What documents and comments refer to exists: pages, anchors, files, commands, numbered decisions, laws and ADRs.
import { expect } from 'chai';
import { readSource } from './support/sources.ts';
import { commentsOf } from './tidy/comments.ts';
import { danglingReferences, toAnchor } from './tidy/references.ts';
import { unportableShell } from './tidy/shellBlocks.ts';
import { trackedFiles } from './tidy/trackedFiles.ts';

const sound: readonly [string, string][] = [
  ['package.json', '{"scripts":{"start":"node a.ts","docs:settings":"node b.ts"}}'],
  ['docs/decisions.md', '### 1. Paths\n\n### 2. Fields\n'],
  ['docs/adr/0001-runtime.md', '# 1. Runtime\n'],
  ['docs/ARCHITECTURE.md', '- **L1.** All is a record.\n'],
  ['chain/port.ts', 'export {};\n'],
];

const danglingIn = (path: string, text: string): string[] => danglingReferences(new Map([...sound, [path, text]]));

const commented = (text: string): string[] => danglingIn('chain/example.ts', `// ${text}\nexport const x = 1;\n`);

// The version of a package of this repository is in that package.
const toPinned = ([name, version]: [string, string]): [string, string] =>
  version.startsWith('file:')
    ? [name, JSON.parse(readSource(`${version.slice('file:'.length)}/package.json`)).version]
    : [name, version];

describe('docs/dependencies.md', () => {
  it('has a row with the version of each dependency of package.json, and no other', () => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(readSource('package.json'));
    const pinned = Object.entries<string>({ ...dependencies, ...devDependencies, ...optionalDependencies }).map(
      toPinned,
    );
    const [page] = readSource('docs/dependencies.md').split('## Python packages');
    const rows = [...page!.matchAll(/^\| `(\S+)` \| (\S+) \|/gm)].map(([, name, version]) => [name, version]);
    expect(Object.fromEntries(rows)).to.deep.equal(Object.fromEntries(pinned));
  });
});

describe('references', () => {
  it('all lead somewhere', () => {
    expect(danglingReferences(trackedFiles)).to.deep.equal([]);
  });

  it('of a sound document and a sound comment are not reported', () => {
    const page =
      'See [a](../README.md#a-b), `port.ts`, `chain/`, `npm run docs:settings`, decisions 1 and 2, ADR 1, L1.';
    const tree = new Map([...sound, ['README.md', '# A (b)\n'], ['chain/notes.md', page]]);
    expect(danglingReferences(tree)).to.deep.equal([]);
    expect(commented('As `port.ts` and chain/port.ts do (decisions 1\n// and 2, law L1).')).to.deep.equal([]);
  });

  it('to a missing page or anchor are reported with their line', () => {
    expect(danglingIn('README.md', '# A\n\n[b](docs/b.md)\n')).to.deep.equal(['README.md:3: ](docs/b.md)']);
    expect(danglingIn('README.md', '# A\n[b](#b) [a](#a)\n')).to.deep.equal(['README.md:2: ](#b)']);
  });

  it('to a missing file or folder are reported', () => {
    expect(commented('See gone.ts.')).to.deep.equal(['chain/example.ts:1: gone.ts']);
    expect(commented('See ledger/port.ts.')).to.deep.equal(['chain/example.ts:1: ledger/port.ts']);
    expect(commented('See chain/gone/ and chain/.')).to.deep.equal(['chain/example.ts:1: chain/gone/']);
    expect(danglingIn('README.md', 'In `chain/gone/` and `design.md`.')).to.deep.equal([
      'README.md:1: design.md',
      'README.md:1: chain/gone/',
    ]);
  });

  it('of the container and of continuous integration are reported', () => {
    expect(danglingIn('Dockerfile', 'CMD ["node", "scripts/gone.ts"]')).to.deep.equal([
      'Dockerfile:1: scripts/gone.ts',
    ]);
    expect(danglingIn('.ci/run', `npm run ${'begin'}\n`)).to.deep.equal(['.ci/run:1: npm ' + 'run begin']);
  });

  it('to a missing command, decision, law or ADR are reported', () => {
    expect(commented(`Use npm run ${'begin'}.`)).to.deep.equal(['chain/example.ts:1: npm ' + 'run begin']);
    expect(commented('As decisions 2, 1 and\n// 3 require.')).to.deep.equal([
      'chain/example.ts:1: decisions 2, 1 and 3',
    ]);
    expect(commented('Law L2.')).to.deep.equal(['chain/example.ts:1: L2']);
    expect(commented('See ADR 7.')).to.deep.equal(['chain/example.ts:1: ADR 7']);
  });

  it('to a setting or error code that no source has are reported', () => {
    expect(danglingIn('README.md', 'Set `OLD_NAME=1`.')).to.deep.equal(['README.md:1: OLD_NAME']);
  });

  it('to a message that no source prints are reported', () => {
    const page = '# A\n\n## Messages\n\n- **`export …`**: sound.\n- **`gone … now`**: not.\n';
    expect(danglingIn('README.md', page)).to.deep.equal(['README.md:6: gone … now']);
  });

  it('are found in the comments of every language, never in code', () => {
    expect(commentsOf('a.ts', 'const a = "// b.ts"; /* c */').trim()).to.equal('c */');
    expect(commentsOf('a.sol', 'string a = "// b"; // c').trim()).to.equal('c');
    expect(commentsOf('a.yaml', 'a: "# b"\n# c').trim()).to.equal('c');
    expect(commentsOf('a.py', '"""c"""\nb = "# d"').trim()).to.equal('"""c"""');
  });

  it('to a heading follow its anchor on GitHub', () => {
    expect(toAnchor('36. Client credentials & `tokens`')).to.equal('36-client-credentials--tokens');
  });
});

describe('the blocks of shell in documents', () => {
  it('run in an interactive zsh as in bash', () => {
    const documents = [...trackedFiles].filter(([path]) => path.endsWith('.md'));
    expect(documents.flatMap(([path, text]) => unportableShell(text).map((found) => `${path}:${found}`))).to.eql([]);
  });

  it('are reported with a comment or an unbraced variable before a colon', () => {
    const block = (line: string): string[] => unportableShell(`# A\n\n\`\`\`sh\necho b\n${line}\n\`\`\`\n\n# C $D:e\n`);
    expect(block("ls   # what's here")).to.eql(["5: # what's here"]);
    expect(block('# alone')).to.eql(['5: # alone']);
    expect(block('curl $API/$ASSET:publicurl')).to.eql(['5: $ASSET:publicurl']);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell expands it.
    expect(block("curl $API/${ASSET}:publicurl 'a#b' ${#C}")).to.eql([]);
  });
});
