// Whether the server accepts a token, before a session begins with it.
import { UNREACHABLE } from './client.ts';
import { SignInError } from './signInError.ts';

const PROBE = '/svc/v2/assets?page_size=1';

/** Rejects with ApiError or SignInError when the server doesn't accept the token. One without rights is accepted. */
export const assertAccepted = async (token: string): Promise<void> => {
  const { status } = await fetch(PROBE, { headers: { authorization: `Bearer ${token}` } }).catch(() => {
    throw UNREACHABLE;
  });
  if (status === 401)
    throw new SignInError(
      'The server doesn’t accept this token: it has expired, was revoked, or is for something else.',
    );
  if (status === 503) throw new SignInError('The server can’t check the token now. Try again in a few seconds.');
};
