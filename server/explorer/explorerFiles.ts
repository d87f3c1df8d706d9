// Reads the browser application once, at the start: its page `index.html`, the files in `ui/` that the page loads, and
// the file with the verifier, `verify.html`.
// Each has its gzip and Brotli form beside it (`app-1a2b.js.gz`, `app-1a2b.js.br`). No request reads the file system.
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { createCompressedDocument, type StaticDocument } from '../openapi/staticDocuments.ts';

/** The browser application. */
export interface ExplorerFiles {
  readonly page: StaticDocument;
  /** The verifier as one file, to be saved and opened elsewhere. */
  readonly verifier: StaticDocument | undefined;
  /** By their paths: `/ui/app-1a2b.js`. */
  readonly parts: ReadonlyMap<string, StaticDocument>;
  /** /ui/config.json as it is now; undefined: there is none. */
  readonly readConfig?: () => StaticDocument;
  /** Origins to which the page may send requests besides its own; none unless given. */
  readonly tokenOrigins?: () => readonly string[];
}

/** The names of these files contain a hash of their content. */
const IMMUTABLE = 'public, max-age=31536000, immutable';
const COMPRESSED = ['.br', '.gz'];

const findFile = async (path: string): Promise<Buffer | undefined> => {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

const findDocument = async (path: string, cacheControl?: string): Promise<StaticDocument | undefined> => {
  const identity = await findFile(path);
  if (identity === undefined) return undefined;
  const encoded = { br: await findFile(`${path}.br`), gzip: await findFile(`${path}.gz`) };
  return createCompressedDocument(extname(path), { ...encoded, identity }, cacheControl);
};

const listParts = async (directory: string): Promise<string[]> => {
  const entries = await readdir(directory, { withFileTypes: true });
  return entries.filter((entry) => entry.isFile() && !COMPRESSED.includes(extname(entry.name))).map(({ name }) => name);
};

/** Reads the files in `directory`; undefined when it has no `index.html`: the application isn't built. */
export const readExplorerFiles = async (directory: string): Promise<ExplorerFiles | undefined> => {
  const page = await findDocument(join(directory, 'index.html'));
  if (page === undefined) return undefined;
  const ui = join(directory, 'ui');
  const parts = new Map<string, StaticDocument>();
  for (const name of await listParts(ui)) parts.set(`/ui/${name}`, (await findDocument(join(ui, name), IMMUTABLE))!);
  return { page, parts, verifier: await findDocument(join(directory, 'verify.html')) };
};
