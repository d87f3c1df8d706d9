// COMPLIANCE_RICHNESS: the asset's attributes meet assertions (decisions 47 and 54).
import type { Attributes } from '../../records/attributes.ts';
import type { PolicyContent } from '../../records/policy.ts';
import type { EvaluatedAsset } from '../evaluatedAsset.ts';
import type { Steps } from '../steps.ts';
import type { RichnessEvidence, Verdict } from '../verdict.ts';
import { holds, parseAssertion, toBoundOf } from './assertion.ts';

// A text that isn't an assertion doesn't hold. Only a record that no server checked can have one.
const isHeld = <Ref>(text: string, policy: PolicyContent, asset: EvaluatedAsset<Ref>): boolean => {
  const assertion = parseAssertion(text, policy.condition_syntax);
  const actual = assertion && asset.actualOf(assertion.attribute);
  return actual !== undefined && holds(assertion!, actual, policy.value_order);
};

// The asset has the rest of a longer value.
const VALUE_CHARACTERS_MAX = 256;

const cut = (text: string, charactersMax: number): string => {
  if (text.length <= charactersMax) return text;
  const characters = [...text.slice(0, 2 * charactersMax + 2)];
  return characters.length <= charactersMax ? text : `${characters.slice(0, charactersMax).join('')}...`;
};

// The empty text counts as missing.
const isMissing = (attributes: Attributes, name: string): boolean =>
  !Object.hasOwn(attributes, name) || attributes[name] === '';

const toEvidence = <Ref>(
  texts: readonly string[],
  { condition_syntax }: PolicyContent,
  { attributes }: EvaluatedAsset<Ref>,
): RichnessEvidence<Ref> => {
  const named = [...new Set(texts.map((text) => parseAssertion(text, condition_syntax)?.attribute ?? text))];
  const there = named.filter((name) => !isMissing(attributes, name));
  const values = there.flatMap((name) => {
    const value = attributes[name];
    return typeof value === 'string' ? [[name, cut(value, VALUE_CHARACTERS_MAX)] as const] : [];
  });
  return {
    events: [],
    events_total: 0,
    assertions: texts,
    attributes: Object.fromEntries(values),
    missing: named.filter((name) => isMissing(attributes, name)),
    not_texts: there.filter((name) => typeof attributes[name] !== 'string'),
  };
};

// The evidence has all assertions, also where the reason is cut.
const REASON_CHARACTERS_MAX = 1024;

const REASON_VALUE_CHARACTERS_MAX = 64;

// A value of another kind than its bound has no order, which is another failure than one on the wrong side.
const toOtherKind = <Ref>(text: string, policy: PolicyContent, asset: EvaluatedAsset<Ref>): string[] => {
  const assertion = parseAssertion(text, policy.condition_syntax);
  const actual = assertion && asset.actualOf(assertion.attribute)?.text;
  const bound = assertion && toBoundOf(assertion, policy.value_order);
  if (bound === undefined || actual === undefined || actual === '' || bound.compare(actual) !== undefined) return [];
  return [`${assertion!.attribute} is ${cut(actual, REASON_VALUE_CHARACTERS_MAX)}, not ${bound.kind}`];
};

const toReason = <Ref>(texts: readonly string[], policy: PolicyContent, asset: EvaluatedAsset<Ref>): string => {
  const kinds = new Set(texts.flatMap((text) => toOtherKind(text, policy, asset)));
  const note = kinds.size === 0 ? '' : ` (${[...kinds].join('; ')})`;
  return cut(`No assertion holds: ${texts.join(' or ')}${note}`, REASON_CHARACTERS_MAX);
};

/**
 * Complies where each list has an assertion that holds. No assertion holds for an attribute that is missing, empty, or
 * not a text. The reason names the first list in which none holds.
 */
export function* evaluateRichness<Ref>(
  policy: PolicyContent,
  asset: EvaluatedAsset<Ref>,
): Steps<Verdict<Ref, RichnessEvidence<Ref>>> {
  const held: string[] = [];
  for (const { or: texts } of policy.richness_assertions) {
    const first = texts.find((text) => isHeld(text, policy, asset));
    if (first === undefined)
      return { compliant: false, reason: toReason(texts, policy, asset), evidence: toEvidence(texts, policy, asset) };
    held.push(first);
    yield;
  }
  return { compliant: true, reason: '', evidence: toEvidence(held, policy, asset) };
}
