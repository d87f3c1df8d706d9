// Finds the references of documents and comments (pages, anchors, files, commands, settings, messages, numbered
// decisions), and reports those that lead nowhere.
import { dirname, join, normalize } from 'node:path';
import { commentsOf, toExtension } from './comments.ts';

/** A repository as the checks see it: the text of each file by its path from the root. */
export type Tree = ReadonlyMap<string, string>;

/** A dangling reference: `path:line: text`. */
export type Dangling = string;

interface SourceText {
  readonly path: string;
  /** The unchanged text of the file. */
  readonly text: string;
  /** The prose on its original lines: comments, or the text of a document without its code blocks. */
  readonly prose: string;
}

type Check = (page: SourceText, names: KnownNames) => readonly Reference[];

interface Reference {
  readonly line: number;
  readonly text: string;
}

interface KnownNames {
  readonly tree: Tree;
  /** Whether a file that is no document has this text. */
  readonly isInSources: (text: string) => boolean;
  readonly folders: ReadonlySet<string>;
  readonly commands: ReadonlySet<string>;
  /** Names of dependencies, some of which look like those of files. */
  readonly packages: ReadonlySet<string>;
  readonly decisions: ReadonlySet<string>;
  readonly laws: ReadonlySet<string>;
}

const EXTENSIONS = 'ts|js|mjs|sol|ya?ml|json|md|py|sh|toml';

// Files that exist only at run time or after generation, and files of examples. Each is a name without a folder.
const ELSEWHERE: ReadonlySet<string> = new Set([
  'ledger.json', // of a data directory, as are the next five
  'network.json',
  'clock.json',
  'final.json',
  'account.json',
  'log.json',
  'manifest.json', // of a backup
  'openapi.json', // routes of the server
  'compliance.json',
  'applications.json', // of the demo, as is the next one
  'forged-event.json',
  'event.json', // of the examples in README and docs/verification.md
  'trust.json', // of those who check an evidence file
  'check.mjs',
  'soljson.js', // of the package solc
  'doc/log_format.md', // of LevelDB's sources
  'doc/table_format.md',
]);

// Folders that set-up makes.
const BUILT: ReadonlySet<string> = new Set(['explorer/dist', 'explorer/dist/']);

const isMarkdown = (path: string): boolean => path.endsWith('.md');

const blankLines = (text: string): string => text.replaceAll(/[^\n]+/g, ' ');

const withoutBlocks = (text: string): string => text.replaceAll(/^( *)(`{3,}|~{3,})[\s\S]*?^\1\2/gm, blankLines);

const withoutCode = (text: string): string => withoutBlocks(text).replaceAll(/`[^`]*`/g, blankLines);

/** The anchor that GitHub gives a heading: lower case, spaces as dashes, without punctuation. */
export const toAnchor = (heading: string): string =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');

const anchorsOf = (text: string): Set<string> => {
  const anchors = new Set<string>();
  for (const [, heading] of withoutBlocks(text).matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const anchor = toAnchor(heading!);
    let name = anchor;
    for (let repeats = 1; anchors.has(name); repeats++) name = `${anchor}-${repeats}`;
    anchors.add(name);
  }
  return anchors;
};

const toReferences = (
  matches: Iterable<RegExpExecArray>,
  isDangling: (match: RegExpExecArray) => boolean,
): readonly Reference[] =>
  [...matches].filter(isDangling).map(({ index, input, 0: text }) => ({
    line: input.slice(0, index).split('\n').length,
    text: text.replaceAll(/\s+/g, ' '),
  }));

const exists = (path: string, { tree, folders }: KnownNames): boolean => tree.has(path) || folders.has(path);

const LINK = /(?:\]\(|\b(?:src|href)=")([^()\s"]+)(?: "[^"]*")?[)"]/g;

const linksOf: Check = ({ path, text }, names) => {
  if (!isMarkdown(path)) return [];
  const isDangling = ([, target]: RegExpExecArray): boolean => {
    if (/^[a-z]+:/.test(target!)) return false;
    const [file, anchor] = target!.split('#') as [string, string?];
    const found = file === '' ? path : normalize(join(dirname(path), file)).replace(/\/$/, '');
    if (!exists(found, names)) return true;
    return anchor !== undefined && !anchorsOf(names.tree.get(found) ?? '').has(anchor);
  };
  return toReferences(withoutCode(text).matchAll(LINK), isDangling);
};

const FILE = new RegExp(
  `(?<![\\w./:@<>{}$*~-])(?:\\.{1,2}/)*(?:[\\w.-]+/)*[\\w-][\\w.-]*\\.(?:${EXTENSIONS})(?![\\w/(]|\\.\\w|-\\w)`,
  'g',
);

const filesOf: Check = ({ path, prose }, { tree, packages }) => {
  const folder = dirname(path);
  const isDangling = ({ 0: name }: RegExpExecArray): boolean => {
    if (ELSEWHERE.has(name) || packages.has(name)) return false;
    return !tree.has(normalize(name)) && !tree.has(normalize(join(folder, name)));
  };
  // In a document a file's name is code; elsewhere in it, a product may have such a name.
  const spans = isMarkdown(path) ? prose.replaceAll(/[^`]*(?:`([^`]*)`)?/g, onlySpan) : prose;
  return toReferences(spans.matchAll(FILE), isDangling);
};

const onlySpan = (match: string, span: string | undefined): string =>
  span === undefined ? blankLines(match) : `${blankLines(match.slice(0, -span.length - 1))}${span} `;

const FOLDER = /(?<![\w./:@<>{}$*~-])[\w.-]+(?:\/[\w.-]+)+\/?(?![\w/<{*…:-])/g;

// A path below a folder of the repository, without an extension: `chain/leveldb/`.
const foldersOf: Check = ({ path, prose }, names) => {
  const spans = isMarkdown(path) ? prose.replaceAll(/[^`]*(?:`([^`]*)`)?/g, onlySpan) : prose;
  const isDangling = ({ 0: name }: RegExpExecArray): boolean =>
    // In a comment, words may be joined by a slash: there a folder ends with one.
    (isMarkdown(path) || name.endsWith('/')) &&
    names.folders.has(name.split('/')[0]!) &&
    !BUILT.has(name) &&
    !/\.\w+$/.test(name) &&
    !exists(name.replace(/\/$/, ''), names);
  return toReferences(spans.matchAll(FOLDER), isDangling);
};

const commandsOf: Check = ({ text }, { commands }) =>
  toReferences(text.matchAll(/npm run (?:(?:--silent|-s) )?([a-z]\w*(?::\w+)*)/g), ([, name]) => !commands.has(name!));

const NUMBERS = String.raw`((?:\d+)(?:(?:,\s+|\s+(?:and|or|to)\s+|,\s+and\s+)\d+\b)*)`;

const decisionsOf: Check = ({ prose }, { decisions }) =>
  toReferences(prose.matchAll(new RegExp(String.raw`\bdecisions?\s+${NUMBERS}`, 'gi')), ([, numbers]) =>
    numbers!.match(/\d+/g)!.some((number) => !decisions.has(number)),
  );

const recordsOf: Check = ({ prose }, { tree }) => {
  const paths = [...tree.keys()];
  const isDangling = ([, number]: RegExpExecArray): boolean =>
    !paths.some((path) => path.startsWith(`docs/adr/${number!.padStart(4, '0')}-`));
  return toReferences(prose.matchAll(/\bADR\s+(\d+)/g), isDangling);
};

const lawsOf: Check = ({ prose }, { laws }) =>
  toReferences(prose.matchAll(/(?<![\w`/.-])L\d{1,2}[a-z]?\b/g), ({ 0: law }) => !laws.has(law));

// A setting, an error code or another constant in a document is one of the sources.
const constantsOf: Check = ({ path, prose }, { isInSources }) => {
  if (!isMarkdown(path)) return [];
  const isDangling = ({ 0: name }: RegExpExecArray): boolean => !isInSources(name);
  return toReferences(prose.matchAll(/(?<=`)[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?=[`=])/g), isDangling);
};

// A message in the documents must be printed by the sources; an ellipsis stands for the parts that vary.
const messagesOf: Check = ({ path, prose }, { isInSources }) => {
  const section = /^## Messages[\s\S]*/m.exec(prose);
  if (!isMarkdown(path) || section === null) return [];
  const before = blankLines(prose.slice(0, section.index));
  return toReferences(`${before}${section[0]}`.matchAll(/(?<=\*\*`)[^`]+(?=`)/g), ({ 0: message }) =>
    message.split('…').some((part) => !isInSources(part.trim())),
  );
};

const CHECKS: readonly Check[] = [
  linksOf,
  filesOf,
  foldersOf,
  commandsOf,
  decisionsOf,
  recordsOf,
  lawsOf,
  constantsOf,
  messagesOf,
];

const foldersAbove = (path: string): string[] => {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
};

const matchesOf = (text: string | undefined, pattern: RegExp): Set<string> =>
  new Set([...(text ?? '').matchAll(pattern)].map(([, name]) => name!));

// Documents repeat most names, and the sources are long.
const searchSources = (tree: Tree): ((text: string) => boolean) => {
  const sources = [...tree]
    .filter(([path]) => !isMarkdown(path))
    .map(([, text]) => text)
    .join('\n');
  const found = new Map<string, boolean>();
  return (text) => {
    const isFound = found.get(text) ?? sources.includes(text);
    found.set(text, isFound);
    return isFound;
  };
};

const namesOf = (tree: Tree): KnownNames => {
  const { scripts, dependencies, devDependencies } = JSON.parse(tree.get('package.json') ?? '{}');
  return {
    tree,
    isInSources: searchSources(tree),
    folders: new Set([...tree.keys()].flatMap(foldersAbove)),
    commands: new Set(Object.keys(scripts ?? {})),
    packages: new Set(Object.keys({ ...dependencies, ...devDependencies })),
    decisions: matchesOf(tree.get('docs/decisions.md'), /^### (\d+)\. /gm),
    laws: matchesOf(tree.get('docs/ARCHITECTURE.md'), /^- \*\*(L\d+[a-z]?)\b/gm),
  };
};

// Their commands name files and npm scripts.
const SHELL_FILES: readonly string[] = ['Dockerfile', '.ci/run'];

const toProse = (path: string, text: string): string => {
  if (SHELL_FILES.includes(path)) return text;
  return isMarkdown(path) ? withoutBlocks(text) : commentsOf(path, text);
};

const toPage = (path: string, text: string): SourceText => ({
  path,
  text,
  prose: toProse(path, text),
});

const isRead = (path: string): boolean =>
  SHELL_FILES.includes(path) || (/^(?:md|ts|js|sol|ya?ml|py)$/.test(toExtension(path)) && !path.endsWith('.gen.ts'));

/** Every reference of documents and comments that leads nowhere, by file and line. */
export const danglingReferences = (tree: Tree): Dangling[] => {
  const names = namesOf(tree);
  const pages = [...tree].filter(([path]) => isRead(path)).map(([path, text]) => toPage(path, text));
  return pages.flatMap((page) =>
    CHECKS.flatMap((check) => check(page, names))
      .sort((a, b) => a.line - b.line)
      .map(({ line, text }) => `${page.path}:${line}: ${text}`),
  );
};
