// Signs in by what a person brings, chooses or enters, and goes back to where the person was.
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { assertAccepted } from '../api/acceptedToken.ts';
import { type Arrival, takeArrival } from '../api/arrival.ts';
import type { IssuerEndpoints, ShownIssuer } from '../api/config.ts';
import { exchangeLinkCode } from '../api/linkSignIn.ts';
import { signIn } from '../api/session.ts';
import { useReturnAddress } from './signInAddress.ts';
import { type Sending, useSend } from './useSend.ts';

/** The ways to sign in. */
export interface SignIn extends Sending {
  /** With a token. */
  readonly enter: (token: string) => void;
  /** With an issuer, whose page takes the place of this one. */
  readonly begin: (issuer: ShownIssuer, endpoints: IssuerEndpoints) => void;
}

// Browsers that sign in by a link or a token don't load the part for issuers.
const loadOidc = () => import('../api/oidc.ts');

const complete = async ({ answer, linkCode }: Arrival, fallback: string): Promise<{ token: string; to: string }> =>
  answer === undefined
    ? { token: await exchangeLinkCode(linkCode!), to: fallback }
    : (await loadOidc()).completeSignIn(answer);

/** The state of the page to sign in. It begins with what the address brought. */
export const useSignIn = (): SignIn => {
  const { route } = useLocation();
  const back = useReturnAddress();
  const [arrival] = useState(takeArrival);
  const { send, ...sending } = useSend();
  const start = async (token: string, to: string): Promise<void> => {
    await assertAccepted(token);
    route(to, true);
    signIn(token);
  };
  useEffect(() => {
    if (arrival === undefined) return;
    send(async () => {
      const { token, to } = await complete(arrival, back);
      await start(token, to);
    });
  }, []);
  return {
    ...sending,
    enter: (token) => send(() => start(token, back)),
    begin: (issuer, endpoints) => send(async () => (await loadOidc()).beginSignIn(issuer, endpoints, back)),
  };
};
