// npm run build:explorer: builds the explorer, which the server serves: a folder with index.html, and with the files
// that it loads in ui/. The names of those have hashes of their content, so that browsers may keep them. Each file is
// there compressed, too.
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { Command } from 'commander';
import { type BuildResult, build, type Metafile } from 'esbuild';

const SOURCE = fileURLToPath(new URL('../explorer/', import.meta.url));
const TARGET = join(SOURCE, 'dist');

const toGzip = promisify(gzip);
const toBrotli = promisify(brotliCompress);
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };

const bundle = (directory: string): Promise<BuildResult & { metafile: Metafile }> =>
  build({
    absWorkingDir: SOURCE,
    entryPoints: { explorer: 'main.tsx', icon: 'icon.svg' },
    outdir: join(directory, 'ui'),
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    metafile: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    inject: ['check/buffer.ts'],
    alias: { 'hash-wasm': join(SOURCE, 'check', 'hashes.ts') },
    loader: { '.svg': 'copy' },
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    publicPath: '/ui',
    legalComments: 'none',
    logLevel: 'error',
  });

const toAddress = (path: string): string => `/ui/${basename(path)}`;

// What the page names: the program, its styles and its icon.
const toPage = (template: string, { outputs }: Metafile): string => {
  const find = (ending: string): string =>
    toAddress(
      Object.keys(outputs).find((path) => /^(?:explorer|icon)-/.test(basename(path)) && path.endsWith(ending))!,
    );
  return template.replace('{icon}', find('.svg')).replace('{style}', find('.css')).replace('{script}', find('.js'));
};

const compress = async (path: string): Promise<void> => {
  const content = await readFile(path);
  await writeFile(`${path}.gz`, await toGzip(content, { level: constants.Z_BEST_COMPRESSION }));
  await writeFile(`${path}.br`, await toBrotli(content, BROTLI));
};

const listFiles = async (directory: string): Promise<string[]> => {
  const found = await readdir(directory, { recursive: true });
  return found.filter((name) => extname(name) !== '').map((name) => join(directory, name));
};

// The new folder takes the place of the old one when it is complete.
const buildAll = async (): Promise<void> => {
  const draft = `${TARGET}-${process.pid}`;
  try {
    await mkdir(draft);
    const { metafile } = await bundle(draft);
    await writeFile(join(draft, 'index.html'), toPage(await readFile(join(SOURCE, 'index.html'), 'utf8'), metafile));
    await Promise.all((await listFiles(draft)).map(compress));
    await rm(TARGET, { recursive: true, force: true });
    await rename(draft, TARGET);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
};

await new Command('build:explorer')
  .description('Builds the explorer, which the server serves at /. Set-up does so when its sources have changed')
  .action(buildAll)
  .parseAsync();
