// SIGHUP: reads the certificate again. Without a certificate, or before the server listens, the signal changes nothing;
// it never ends the process.
import type { Listener } from '../../server/listen.ts';
import { console } from '../commandProcess.ts';
import type { Config } from '../settings/config.ts';
import { readTlsIdentity } from '../settings/tlsFiles.ts';
import { reportProblem } from '../watching/reports.ts';

const renew = async (config: Config, listener: Pick<Listener, 'renew'> | undefined): Promise<void> => {
  if (config.tlsCertFile === undefined) {
    console.log('SIGHUP: there is no certificate to read again, since TLS_CERT_FILE is not set');
    return;
  }
  if (listener === undefined) throw new Error('the server does not listen yet; send the signal again when it does');
  listener.renew((await readTlsIdentity(config))!);
  console.log('SIGHUP: new connections use the certificate as it is now');
};

/** Handles SIGHUP until it is stopped. */
export interface Renewal {
  /** Sets the listener whose certificate is renewed. */
  renews(listener: Pick<Listener, 'renew'>): void;
  stop(): void;
}

/** Handles SIGHUP from now on. */
export const renewOnHangup = (config: Config): Renewal => {
  let listener: Pick<Listener, 'renew'> | undefined;
  const handle = (): void => {
    renew(config, listener).catch((error: unknown) => reportProblem('SIGHUP: the certificate stays as it was', error));
  };
  process.on('SIGHUP', handle);
  return {
    renews: (given) => {
      listener = given;
    },
    stop: () => void process.off('SIGHUP', handle),
  };
};
