// What a person brings in the address of the page to sign in: the answer of an issuer, or the code of the link that the
// server printed at its first start. It is removed from the address and the history before anything else happens.

/** What the address had. */
export interface Arrival {
  /** The parameters of an issuer's answer (RFC 6749 section 4.1.2). */
  readonly answer?: URLSearchParams;
  /** The code of the link. */
  readonly linkCode?: string;
}

const PATH = '/sign-in';

const readAddress = (): Arrival | undefined => {
  const { pathname, search, hash } = location;
  if (pathname !== PATH) return undefined;
  const answer = new URLSearchParams(search);
  const linkCode = new URLSearchParams(hash.slice(1)).get('code');
  if (linkCode !== null) return { linkCode };
  return answer.has('code') || answer.has('error') ? { answer } : undefined;
};

let brought = readAddress();
if (brought !== undefined) history.replaceState(null, '', PATH);
// Where the page to sign in is open already, a browser that gets the link goes to its fragment and loads nothing.
addEventListener('hashchange', () => {
  if (readAddress() !== undefined) location.reload();
});

/** What the address had when the application was loaded, once; undefined: nothing. */
export const takeArrival = (): Arrival | undefined => {
  const taken = brought;
  brought = undefined;
  return taken;
};
