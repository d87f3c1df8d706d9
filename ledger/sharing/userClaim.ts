// Claims by which a permission names principals: `<name>=<value>`, or `<name>:<value>` (decision 40).
import { findReadings, splitText, writeText } from '../compliance/escapes.ts';
import { type ConditionSyntax, NEWEST_SYNTAX } from '../records/policy.ts';

/** What is known of a principal, by the names of claims: a text, or several, such as the groups that it is in. */
export type Claims = Readonly<Partial<Record<string, string | readonly string[]>>>;

/** A claim of a principal. */
export interface UserClaim {
  readonly name: string;
  readonly value: string;
}

// In earlier policies `=` alone ends a name.
const EARLIER = /^([^=]+)(=)(.+)$/s;
const CLAIM = /^([^=:]+)([=:])(.+)$/s;

/**
 * Parses a claim; undefined where the name, the sign or the value is missing. Every character counts, including blanks.
 * No value stands for others.
 */
export const parseUserClaim = (text: string, syntax: ConditionSyntax | undefined): UserClaim | undefined => {
  const parts = splitText(text, syntax === undefined ? EARLIER : CLAIM, syntax);
  return parts && { name: parts.name, value: parts.value };
};

/** The text of a claim, as a policy that is created now has it. */
export const writeUserClaim = ({ name, value }: UserClaim): string =>
  writeText({ name, operator: '=', value }, (text) => {
    const read = parseUserClaim(text, NEWEST_SYNTAX);
    return read?.name === name && read.value === value && findReadings(text) === undefined;
  });
