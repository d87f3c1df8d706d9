// Which addresses are proxies: the same judgement by which Express believes forwarding headers.
import express from 'express';

/**
 * Tells whether a connection from an address is a trusted proxy's. `trustProxy` is Express' setting; undefined:
 * nobody's.
 */
export const createIsProxy = (trustProxy: number | readonly string[] | undefined): ((address: string) => boolean) => {
  const app = express();
  app.set('trust proxy', trustProxy ?? false);
  const isTrusted = app.get('trust proxy fn') as (address: string, hops: number) => boolean;
  return (address) => isTrusted(address, 0);
};
