// Changes of a tenant's root principals (decisions 35 and 52). The new list contains the principal that changes it, and
// only principals of issuers that the tenant trusted before, so that no change can lock a tenant out or hand it over to
// another issuer.
import { type FieldViolation, LedgerError } from '../errors.ts';
import type { Principal } from '../principal.ts';

type Subject = Pick<Principal, 'issuer' | 'subject'>;

/** Whether both have the same subject of the same issuer. */
export const isSameSubject = (one: Subject, other: Subject): boolean =>
  one.issuer === other.issuer && one.subject === other.subject;

/** Whether a person or an application is one of the root principals, by issuer and subject (decision 52). */
export const isRootPrincipal = (list: readonly Subject[], candidate: Subject): boolean =>
  list.some((principal) => isSameSubject(principal, candidate));

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
    : [{ field: LIST, description: 'leaves out the caller, and callers cannot remove themselves' }];

/**
 * Asserts that `caller`, one of the `current` root principals, may replace them with this list. A list that contains
 * the caller is not empty.
 * @throws LedgerError ROOT_PRINCIPALS_INVALID that names each entry that isn't allowed, or the list when it leaves out
 * the caller.
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
