// A small application in the form that the build of the explorer has.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

export const PAGE = '<!doctype html><title>explorer</title><script type="module" src="/ui/app-1a2b.js"></script>\n';
export const VERIFIER = `<!doctype html><title>verifier</title><script>${'verify '.repeat(50)}</script>\n`;
export const SCRIPT = `export const text = '${'explorer '.repeat(50)}';\n`;

/** Writes the application into a directory, and files beside it that must not be served. */
export const buildExplorerFixture = async (directory: string): Promise<void> => {
  await mkdir(join(directory, 'ui', 'nested'), { recursive: true });
  const write = (name: string, content: string | Buffer) => writeFile(join(directory, name), content);
  await write('index.html', PAGE);
  await write('verify.html', VERIFIER);
  await write('verify.html.gz', gzipSync(VERIFIER));
  await write('verify.html.br', brotliCompressSync(VERIFIER));
  await write('ui/app-1a2b.js', SCRIPT);
  await write('ui/app-1a2b.js.gz', gzipSync(SCRIPT));
  await write('ui/app-1a2b.js.br', brotliCompressSync(SCRIPT));
  await write('ui/style-3c4d.css', 'body { margin: 0 }\n');
  await write('ui/nested/x.js', 'nested');
  await write('secret.txt', 'secret');
  await symlink(join(directory, 'secret.txt'), join(directory, 'ui', 'link.js'));
};
