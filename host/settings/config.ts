// The settings, read once from the environment. No other file reads process.env.
import { type NetworkSettings, toNetwork } from './networkSettings.ts';
import { SETTINGS, type Setting, type Settings } from './settings.ts';

/** What this process is configured with. */
export type Config = Settings;

const readSetting = ({ name, fallback, read }: Setting<unknown>, given: string | undefined): unknown => {
  const text = given || fallback;
  if (text === undefined) return undefined;
  try {
    return read(text);
  } catch (error) {
    throw new Error(`${name} is ${JSON.stringify(text)}; it ${(error as Error).message}`, { cause: error });
  }
};

const assertTogether = ({ tlsCertFile, tlsKeyFile }: Config): void => {
  if ((tlsCertFile === undefined) === (tlsKeyFile === undefined)) return;
  throw new Error(`${tlsKeyFile === undefined ? 'TLS_KEY_FILE' : 'TLS_CERT_FILE'} is missing; TLS needs both files`);
};

/** Settings of this process. @throws Error that names the variable when one makes no sense. */
export const readConfig = (environment: Readonly<Record<string, string | undefined>> = process.env): Config => {
  const entries = Object.entries(SETTINGS).map(([key, one]) => [key, readSetting(one, environment[one.name])]);
  const config = Object.fromEntries(entries) as Config;
  assertTogether(config);
  return config;
};

/** The network that the environment names; undefined: the embedded chain. @throws Error that names the variable when one makes no sense. */
export const readNetwork = (): NetworkSettings | undefined => toNetwork(readConfig());
