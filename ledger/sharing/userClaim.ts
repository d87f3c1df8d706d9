// Claims by which a permission names principals: `<name>=<value>`.

/** A claim of a principal. */
export interface UserClaim {
  readonly name: string;
  readonly value: string;
}

/**
 * Parses a claim, which ends its name at the first `=`; undefined where the name, the sign or the value is missing.
 * Every character counts, including blanks. No value stands for others.
 */
export const parseUserClaim = (text: string): UserClaim | undefined => {
  const end = text.indexOf('=');
  if (end < 1 || end === text.length - 1) return undefined;
  return { name: text.slice(0, end), value: text.slice(end + 1) };
};
