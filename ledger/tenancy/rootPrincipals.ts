// Who a tenant's root principals are, and may become (decisions 35 and 52): always somebody, always with the principal that changes them among them, and all of
// an issuer that the tenant has trusted before. So no change can lock a tenant out or hand it over to another issuer.
import { type FieldViolation, LedgerError } from '../errors.ts';
import type { Principal } from '../principal.ts';

type Subject = Pick<Principal, 'issuer' | 'subject'>;

/** Whether both are the same subject of the same issuer. */
export const isSameSubject = (one: Subject, other: Subject): boolean =>
  one.issuer === other.issuer && one.subject === other.subject;

/** Whether somebody is one of the root principals: a person or an application, by issuer and subject (decision 52). */
export const isRootPrincipal = (list: readonly Subject[], somebody: Subject): boolean =>
  list.some((principal) => isSameSubject(principal, somebody));

const LIST = 'root_principals';

const findWrong = (next: readonly Principal[], current: readonly Principal[]): FieldViolation[] =>
  next.flatMap((principal, at): FieldViolation[] => {
    const isKnownIssuer = current.some(({ issuer }) => issuer === principal.issuer);
    const isFirst = next.findIndex((other) => isSameSubject(other, principal)) === at;
    const issuer = { field: `${LIST}/${at}/issuer`, description: 'is not an issuer of the root principals there are' };
    const repeated = { field: `${LIST}/${at}`, description: 'is there more than once' };
    return [...(isKnownIssuer ? [] : [issuer]), ...(isFirst ? [] : [repeated])];
  });

const findLeftOut = (next: readonly Principal[], caller: Subject): FieldViolation[] =>
  isRootPrincipal(next, caller)
    ? []
    : [{ field: LIST, description: 'leaves out the caller, and nobody can remove himself' }];

/**
 * Checks the list that `caller`, one of the `current` root principals, puts in their place. A list with the caller in it is never empty.
 * @throws LedgerError ROOT_PRINCIPALS_INVALID that names every entry that can't be one, or says that the list leaves out the caller.
 */
export const assertRootPrincipals = (
  next: readonly Principal[],
  { current, caller }: { readonly current: readonly Principal[]; readonly caller: Subject },
): void => {
  const violations = [...findLeftOut(next, caller), ...findWrong(next, current)];
  const [first] = violations;
  if (first === undefined) return;
  throw new LedgerError('ROOT_PRINCIPALS_INVALID', { message: `${first.field}: ${first.description}`, violations });
};
