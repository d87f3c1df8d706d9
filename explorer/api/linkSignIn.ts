// Signs in with the code of the link that the server printed at its first start.
import { UNREACHABLE } from './client.ts';
import { SignInError } from './signInError.ts';

const ADVICE = 'Use the command that the server printed for a token, npm run token, and paste its output.';

const toMessage = async (answer: Response): Promise<string> => {
  if (answer.status === 404) return `This link was printed by an earlier start of the server. ${ADVICE}`;
  if (answer.status === 429) return 'There were too many requests. Wait a minute, then open the link again.';
  const { details } = (await answer.json()) as { details: { field?: string; description?: string }[] };
  const { field, description } = details[0] ?? {};
  const reason = description === undefined ? `the server answered ${answer.status}` : `the ${field} ${description}`;
  return `The link can’t be used: ${reason}. ${ADVICE}`;
};

/** The token that the code is exchanged for. Rejects with ApiError or SignInError. */
export const exchangeLinkCode = async (code: string): Promise<string> => {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ code });
  const answer = await fetch('/ui/first-sign-in', { method: 'POST', headers, body }).catch(() => {
    throw UNREACHABLE;
  });
  if (answer.status !== 200) throw new SignInError(await toMessage(answer));
  return ((await answer.json()) as { access_token: string }).access_token;
};
