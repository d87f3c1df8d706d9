// The settings of this process, read from the environment. Only host/ reads the environment.
import { thisProcess } from '../commandProcess.ts';
import { findMisspelt, isOfService } from './misspelt.ts';
import type { Setting } from './setting.ts';
import { SETTINGS, type Settings } from './settings.ts';

/** The configuration of a process: the values of all settings. */
export type Config = Settings;

/** Environment variables by name; an empty one counts as not set. */
export type Environment = Readonly<Record<string, string | undefined>>;

// Kubernetes and Docker set the variable of a port for each service.
const SERVICE_HINT = ' (an orchestrator sets it for a service of this name: set enableServiceLinks to false)';

const readSetting = ({ name, fallback, read }: Setting<unknown>, given: string | undefined): unknown => {
  const text = given || fallback;
  if (text === undefined) return undefined;
  try {
    return read(text);
  } catch (error) {
    const hint = isOfService(name, text) ? SERVICE_HINT : '';
    throw new Error(`${name} is ${JSON.stringify(text)}; it ${(error as Error).message}${hint}`, { cause: error });
  }
};

/** Settings that are of use only together, and for what. */
const TOGETHER: readonly { readonly of: string; readonly keys: readonly (keyof typeof SETTINGS)[] }[] = [
  { of: 'time stamps', keys: ['tsaUrl', 'tsaCaFile'] },
  { of: 'TLS', keys: ['tlsCertFile', 'tlsKeyFile'] },
  {
    of: 'records on another ledger',
    keys: ['anchorUrl', 'anchorAsset', 'anchorCredentialsFile', 'anchorTrustFile'],
  },
];

const listNames = (keys: readonly (keyof typeof SETTINGS)[]): string =>
  keys.map((key) => SETTINGS[key].name).join(', ');

const assertTogether = (config: Config): void => {
  for (const { of, keys } of TOGETHER) {
    const missing = keys.find((key) => config[key] === undefined);
    if (missing !== undefined && keys.some((key) => config[key] !== undefined))
      throw new Error(`${SETTINGS[missing].name} is missing; ${of} need all of ${listNames(keys)}`);
  }
};

// Nothing would be recorded, without a word.
const assertLogForRecords = ({ anchorUrl, anchorSeconds, checkpointSeconds }: Config): void => {
  if (anchorUrl !== undefined && anchorSeconds > 0 && checkpointSeconds === 0)
    throw new Error(
      'CHECKPOINT_SECONDS is 0, so there are no checkpoints to record at ANCHOR_URL; set ANCHOR_SECONDS=0',
    );
};

// The embedded chain belongs to one installation, whose repair and migration need the records of all its tenants.
const assertTenantsOnNetwork = (config: Config): void => {
  for (const key of ['servedTenants', 'sharingTenants'] as const)
    if (config[key] !== undefined && config.chainRpcUrls === undefined)
      throw new Error(`${SETTINGS[key].name} is for a ledger on a network: CHAIN_RPC_URL is missing`);
};

// A network's own nodes answer pages, by their own settings.
const assertOriginsOnEmbedded = ({ chainRpcCorsOrigins, chainRpcUrls }: Config): void => {
  if (chainRpcCorsOrigins !== undefined && chainRpcUrls !== undefined)
    throw new Error('CHAIN_RPC_CORS_ORIGINS is for the embedded chain, and CHAIN_RPC_URL names a network; unset it');
};

// A setting that isn't read makes another ledger, without a word.
const assertSpelt = (environment: Environment): void => {
  const misspelt = findMisspelt(environment);
  if (misspelt.length === 0) return;
  const found = misspelt.map(({ name, meant }) => `${name} is no setting; did you mean ${meant}?`).join(' ');
  const names = misspelt.map(({ name }) => `-u ${name}`).join(' ');
  throw new Error(`${found} If it belongs to another program, unset it for this one: env ${names} npm start`);
};

/**
 * The configuration of an environment, by default that of this process.
 * @throws Error that names a variable with an invalid value, or one that probably is a misspelt setting.
 */
export const readConfig = (environment: Environment = thisProcess().env): Config => {
  assertSpelt(environment);
  const entries = Object.entries(SETTINGS).map(([key, one]) => [key, readSetting(one, environment[one.name])]);
  const config = Object.fromEntries(entries) as Config;
  assertTogether(config);
  assertLogForRecords(config);
  assertTenantsOnNetwork(config);
  assertOriginsOnEmbedded(config);
  return config;
};

/**
 * The configuration of this process, with some variables replaced.
 * @throws Error that names a variable with an invalid value.
 */
export const readConfigWith = (overrides: Environment): Config => readConfig({ ...thisProcess().env, ...overrides });
