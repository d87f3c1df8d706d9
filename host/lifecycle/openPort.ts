// Opens ports as the settings name them. An error names the setting to change.

/** The setting that an address comes from. */
export interface HostSetting {
  readonly setting: string;
  readonly host: string;
}

const NO_ADDRESS = ['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'EINVAL'];

const toReason = (code: string, setting: string, port: number, from: HostSetting | undefined): string | undefined => {
  if (code === 'EADDRINUSE') return `port ${port} is taken; choose another with ${setting}`;
  if (code === 'EACCES') return `${setting} is ${port}; this user may not open that port`;
  if (from === undefined || !NO_ADDRESS.includes(code)) return undefined;
  return `${from.setting} is ${JSON.stringify(from.host)}; it must be an address of this machine (${code})`;
};

/**
 * Opens a port with `open` and resolves with its result.
 * @throws Error that names the setting when the port is taken, or when the address is not one of this machine.
 */
export const openPort = async <T>(
  setting: string,
  port: number,
  open: (port: number) => Promise<T>,
  from?: HostSetting,
): Promise<T> => {
  try {
    return await open(port);
  } catch (cause) {
    const reason = toReason((cause as NodeJS.ErrnoException).code ?? '', setting, port, from);
    throw reason === undefined ? cause : new Error(reason, { cause });
  }
};
