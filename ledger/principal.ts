// A principal: a person or an application, identified by an issuer and the subject that the issuer gives it.
import { isJsonObject } from './records/attributes.ts';

/** A person or an application. Issuer and subject identify it, as `iss` and `sub` of a token (RFC 7519). */
export interface Principal {
  readonly issuer: string;
  readonly subject: string;
  readonly display_name: string;
  readonly email: string;
}

const FIELDS = ['issuer', 'subject', 'display_name', 'email'] as const;

/** The principal with these fields, and `""` for the others (decision 24). */
export const toPrincipal = (partial: Partial<Principal>): Principal => ({
  issuer: partial.issuer ?? '',
  subject: partial.subject ?? '',
  display_name: partial.display_name ?? '',
  email: partial.email ?? '',
});

/** Whether an untrusted value is the principal of which nothing is said. */
export const isNobody = (value: unknown): boolean => isPrincipal(value) && FIELDS.every((field) => value[field] === '');

/** Whether an untrusted value is a principal, with all of its fields and no others. */
export const isPrincipal = (value: unknown): value is Principal =>
  isJsonObject(value) &&
  Object.keys(value).length === FIELDS.length &&
  FIELDS.every((field) => typeof value[field] === 'string');
