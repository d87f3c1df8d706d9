// SIGHUP: the certificate is read again. Without one, or before the server listens, the signal changes nothing; it never ends the process.
import type { Listener } from '../../server/listen.ts';
import type { Config } from '../settings/config.ts';
import { readTlsIdentity } from '../settings/tlsFiles.ts';

const renew = async (config: Config, listener: Pick<Listener, 'renew'> | undefined): Promise<void> => {
  if (config.tlsCertFile === undefined) {
    console.log('SIGHUP: there is no certificate to read again, since TLS_CERT_FILE is not set');
    return;
  }
  if (listener === undefined) throw new Error('the server does not listen yet; send the signal again when it does');
  listener.renew((await readTlsIdentity(config))!);
  console.log('SIGHUP: new connections get the certificate of now');
};

/** Begins at once to listen for SIGHUP. Returns what says whose certificate is renewed from now on. */
export const renewOnHangup = (config: Config): ((listener: Pick<Listener, 'renew'>) => void) => {
  let listener: Pick<Listener, 'renew'> | undefined;
  process.on('SIGHUP', () => {
    renew(config, listener).catch((error: Error) =>
      console.error('SIGHUP: the certificate stays as it was:', error.message),
    );
  });
  return (given) => {
    listener = given;
  };
};
