// Where test:engines gets its geth from: the cache, else Go, of which a script takes the place here.
import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { expect } from 'chai';
import { useDirectories } from '../support/directories.ts';
import { openGeth } from './geth.ts';

const toGo = (version: string, build: string): string => `#!/bin/sh
if [ "$1" = version ]; then echo "go version ${version} linux/amd64"; exit 0; fi
echo "go: downloading example.org/module v1" >&2
${build}
`;
const BUILD = 'echo "$@" > "$GOBIN/geth"';

describe('geth of test:engines', () => {
  const makeDirectory = useDirectories();
  const { PATH } = process.env;
  afterEach(() => {
    process.env.PATH = PATH;
  });

  const useGo = async (text: string): Promise<void> => {
    const tools = await makeDirectory();
    await writeFile(join(tools, 'go'), text, { mode: 0o755 });
    process.env.PATH = [tools, PATH].join(delimiter);
  };

  it('is missing without Go', async () => {
    const folder = await makeDirectory();
    process.env.PATH = folder;
    expect(await openGeth(folder)).to.equal(undefined);
    expect(await readdir(folder)).to.deep.equal([]);
  });

  it('is built by Go in the pinned version, once', async () => {
    const folder = await makeDirectory();
    await useGo(toGo('go1.26.8', BUILD));
    const geth = await openGeth(folder);
    expect(await readFile(geth!, 'utf8')).to.match(/^install .*-ldflags=-checklinkname=0 .*\/cmd\/geth@v1\.13\.15\n$/);
    process.env.PATH = folder;
    expect(await openGeth(folder)).to.equal(geth);
    expect(await readdir(folder)).to.have.length(1);
  });

  it('is built without the flag by a Go whose linker does not know it', async () => {
    const folder = await makeDirectory();
    await useGo(toGo('go1.22.12', BUILD));
    expect(await readFile((await openGeth(folder))!, 'utf8')).to.not.include('ldflags');
  });

  it('is built although an earlier build was killed, whose folder is removed; that of a running one stays', async () => {
    const folder = await makeDirectory();
    const ended = spawnSync('true').pid;
    for (const pid of [ended, process.ppid]) await mkdir(join(folder, `unfinished-${pid}`));
    await useGo(toGo('go1.26.8', BUILD));
    await openGeth(folder);
    expect(await readdir(folder)).to.have.members(['geth-1.13.15', `unfinished-${process.ppid}`]);
  });

  it('that can not be built leaves nothing, and the last lines of Go say why', async () => {
    const folder = await makeDirectory();
    await useGo(toGo('go1.26.8', 'echo "no space left" >&2; exit 3'));
    const message = await openGeth(folder).catch((error: Error) => error.message);
    expect(message).to.contain('exit code 3').and.to.contain('no space left');
    expect(await readdir(folder)).to.deep.equal([]);
  });
});
