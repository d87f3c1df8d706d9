// Opens ports as the settings say, and tells an operator which setting is wrong when that can't be done.

/** What an address is set by. */
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

/** What `open` resolves with. @throws Error that names the setting when the port is taken, or the address is none of this machine. */
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
