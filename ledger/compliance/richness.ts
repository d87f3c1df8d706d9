// COMPLIANCE_RICHNESS: the asset's attributes are as they should be (decisions.md points 47 and 54).
import type { Attributes } from '../attributes.ts';
import type { PolicyContent } from '../policyRecord.ts';
import { holds, parseAssertion, toActual } from './assertion.ts';
import type { Subject } from './subject.ts';
import type { RichnessEvidence, Verdict } from './verdict.ts';

const textOf = (attributes: Attributes, name: string): string | undefined => {
  const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  return typeof value === 'string' ? value : undefined;
};

// What isn't an assertion doesn't hold. Only a record that no server checked can have such a thing.
const isHeld = (text: string, attributes: Attributes): boolean => {
  const assertion = parseAssertion(text);
  const actual = assertion && textOf(attributes, assertion.attribute);
  return actual !== undefined && holds(assertion!, toActual(actual));
};

// The empty text counts as missing.
const isMissing = (attributes: Attributes, name: string): boolean =>
  !Object.hasOwn(attributes, name) || attributes[name] === '';

const toEvidence = <Ref>(assertions: readonly string[], attributes: Attributes): RichnessEvidence<Ref> => {
  const named = [...new Set(assertions.map((text) => parseAssertion(text)?.attribute ?? text))];
  const there = named.filter((name) => !isMissing(attributes, name));
  const texts = there.flatMap((name) => {
    const text = textOf(attributes, name);
    return text === undefined ? [] : [[name, text] as const];
  });
  return {
    events: [],
    events_total: 0,
    assertions,
    attributes: Object.fromEntries(texts),
    missing: named.filter((name) => isMissing(attributes, name)),
    not_texts: there.filter((name) => textOf(attributes, name) === undefined),
  };
};

// What is cut is in the evidence.
const REASON_CHARACTERS_MAX = 1024;

const toReason = (assertions: readonly string[]): string => {
  const reason = [...`No assertion holds: ${assertions.join(' or ')}`];
  return reason.length <= REASON_CHARACTERS_MAX
    ? reason.join('')
    : `${reason.slice(0, REASON_CHARACTERS_MAX).join('')}...`;
};

/**
 * Complies where each list has an assertion that holds. None holds of an attribute that is missing, empty, or no text. The reason names the first
 * list of which none does.
 */
export const judgeRichness = <Ref>(
  policy: PolicyContent,
  { attributes }: Subject<Ref>,
): Verdict<Ref, RichnessEvidence<Ref>> => {
  const held: string[] = [];
  for (const { or } of policy.richness_assertions) {
    const first = or.find((text) => isHeld(text, attributes));
    if (first === undefined) {
      return {
        compliant: false,
        reason: toReason(or),
        evidence: toEvidence(or, attributes),
      };
    }
    held.push(first);
  }
  return { compliant: true, reason: '', evidence: toEvidence(held, attributes) };
};
