// Issues tokens of applications.
import type { OwnedApplication } from '../../../indexer/ledgerView.ts';
import { toSecretId } from './secretId.ts';
import type { TokenAuthority } from './tokenAuthority.ts';

/** Issues a token with the rights of an application, which ends with its secret. */
export const issueApplicationToken = (
  tokens: Pick<TokenAuthority, 'issue'>,
  clientId: string,
  { tenantIdentity, application }: OwnedApplication,
): ReturnType<TokenAuthority['issue']> =>
  tokens.issue({
    tenantIdentity,
    subject: clientId,
    name: application.display_name,
    roles: application.roles,
    clientId,
    secretId: toSecretId(application.secret_sha256),
    customClaims: application.custom_claims,
  });
