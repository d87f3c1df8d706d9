// npm run build:explorer: builds the explorer, which the server serves: a folder with index.html, and with the files
// that it loads in ui/. The names of those have hashes of their content, so that browsers may keep them. verify.html
// has all that it needs in itself. Each file is there compressed, too.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { Command } from 'commander';
import { type BuildOptions, type BuildResult, build, type Metafile } from 'esbuild';

const SOURCE = fileURLToPath(new URL('../explorer/', import.meta.url));
const TARGET = join(SOURCE, 'dist');

const toGzip = promisify(gzip);
const toBrotli = promisify(brotliCompress);
/** The highest level takes twice as long, and saves another 2 %. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY - 1 } };

const OPTIONS = {
  absWorkingDir: SOURCE,
  bundle: true,
  format: 'esm',
  target: 'es2022',
  minify: true,
  jsx: 'automatic',
  jsxImportSource: 'preact',
  inject: ['check/buffer.ts'],
  alias: { 'hash-wasm': join(SOURCE, 'check', 'hashes.ts') },
  legalComments: 'none',
  logLevel: 'error',
} as const satisfies BuildOptions;

const bundle = (directory: string): Promise<BuildResult & { metafile: Metafile }> =>
  build({
    ...OPTIONS,
    entryPoints: { explorer: 'main.tsx', icon: 'icon.svg' },
    outdir: join(directory, 'ui'),
    splitting: true,
    metafile: true,
    loader: { '.svg': 'copy' },
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    publicPath: '/ui',
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

/** What would end the element that contains it, or begin another state of the parser. */
const UNSAFE = /<\/?(?:script|style)|<!--/i;

const assertInline = (text: string): void => {
  if (UNSAFE.test(text)) throw new Error('a script or style of verify.html has a text that HTML takes for its end');
};

const toHashSource = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

// What the page may do when it is opened elsewhere: run exactly these texts, and ask the node that its reader names.
const toPolicy = (script: string, style: string): string =>
  [
    "default-src 'none'",
    `script-src ${toHashSource(script)}`,
    `style-src ${toHashSource(style)}`,
    'connect-src http: https:',
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ');

const bundleVerifier = async (): Promise<{ script: string; style: string }> => {
  const entryPoints = { verify: join('verify', 'main.tsx') };
  const { outputFiles } = await build({ ...OPTIONS, entryPoints, outdir: TARGET, write: false });
  const find = (ending: string): string => outputFiles.find(({ path }) => path.endsWith(ending))!.text.trim();
  return { script: find('.js'), style: find('.css') };
};

const buildVerifier = async (): Promise<string> => {
  const { script, style } = await bundleVerifier();
  for (const text of [script, style]) assertInline(text);
  const parts: Readonly<Record<string, string>> = {
    policy: toPolicy(script, style),
    style: `<style>${style}</style>`,
    script: `<script type="module">${script}</script>`,
  };
  const template = await readFile(join(SOURCE, 'verify', 'verify.html'), 'utf8');
  return template.replace(/\{(\w+)\}/g, (_, name: string) => parts[name]!);
};

const printVerifier = async (page: string): Promise<void> => {
  const kilobytes = [Buffer.byteLength(page), (await toGzip(page)).length].map((bytes) => (bytes / 1_000).toFixed(1));
  console.log(`verify.html: ${kilobytes[0]} kB, ${kilobytes[1]} kB with gzip`);
  console.log(`its SHA-256: ${createHash('sha256').update(page).digest('hex')}`);
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
    const [{ metafile }, verifier] = await Promise.all([bundle(draft), buildVerifier()]);
    await writeFile(join(draft, 'verify.html'), verifier);
    await writeFile(join(draft, 'index.html'), toPage(await readFile(join(SOURCE, 'index.html'), 'utf8'), metafile));
    await Promise.all((await listFiles(draft)).map(compress));
    await rm(TARGET, { recursive: true, force: true });
    await rename(draft, TARGET);
    await printVerifier(verifier);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
};

await new Command('build:explorer')
  .description('Builds the explorer, which the server serves at /. Set-up does so when its sources have changed')
  .action(buildAll)
  .parseAsync();
