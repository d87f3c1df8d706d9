// A principal: who acts, as a subject of an issuer (decision 24).
import { isJsonObject } from './records/attributes.ts';

export interface Principal {
  readonly issuer: string;
  readonly subject: string;
  readonly display_name: string;
  readonly email: string;
}

const FIELDS = ['issuer', 'subject', 'display_name', 'email'] as const;

/** A principal of which only some fields are given, the others filled with `""` (decision 24). */
export const toPrincipal = (partial: Partial<Principal>): Principal => ({
  issuer: partial.issuer ?? '',
  subject: partial.subject ?? '',
  display_name: partial.display_name ?? '',
  email: partial.email ?? '',
});

/** Whether a value from outside is a whole principal and nothing else. */
export const isPrincipal = (value: unknown): value is Principal =>
  isJsonObject(value) &&
  Object.keys(value).length === FIELDS.length &&
  FIELDS.every((field) => typeof value[field] === 'string');
