// Requests of clients, as the handlers of the server receive them from HTTP.
import type { CallerIdentity } from '../../../server/openapi/handlers.ts';

/** The parts of a request that differ between operations. */
export interface RequestParts {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** The parts of an answer that clients use. */
export interface AnswerParts<Body> {
  readonly body: Body;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The caller of a tenant's requests. */
export const toCaller = (tenantIdentity: string): CallerIdentity & { reauthorize: () => Promise<void> } => ({
  tenantIdentity,
  principal: { issuer: 'https://clients.example', subject: tenantIdentity, display_name: '', email: '' },
  reauthorize: async () => undefined,
});

const COMMON = { headers: {}, params: {}, query: {}, body: undefined, origin: '', prefix: '', address: '' };

/** A request of a tenant's client without a body. */
export const toRequestParts = (tenantIdentity: string) => ({ ...COMMON, caller: toCaller(tenantIdentity) });

/** An answer as a handler returns it: the body, or its JSON. */
type HandlerAnswer<Body> =
  | AnswerParts<Body>
  | (Pick<AnswerParts<Body>, 'headers'> & { readonly json: readonly Uint8Array[] });

/** Calls a handler as a tenant's client, and resolves with the answer. */
export const requestAs = async <Body>(
  tenantIdentity: string,
  handler: (request: never) => Promise<HandlerAnswer<Body>>,
  parts: RequestParts,
): Promise<AnswerParts<Body>> => {
  const answer = await handler({ ...toRequestParts(tenantIdentity), ...parts } as never);
  return 'json' in answer ? { ...answer, body: JSON.parse(Buffer.concat(answer.json).toString()) as Body } : answer;
};

/** Calls a handler as a tenant's client, and resolves with the body of the answer. */
export const callAs = async <Body>(
  tenantIdentity: string,
  handler: (request: never) => Promise<HandlerAnswer<Body>>,
  parts: RequestParts,
): Promise<Body> => (await requestAs(tenantIdentity, handler, parts)).body;
