// A policy's conditions and assertions, parsed. Whoever keeps the policy has them parsed once.
import type { Alternatives, PolicyContent } from '../policyRecord.ts';
import { type Assertion, parseAssertion } from './assertion.ts';
import { type AttributeCondition, parseCondition } from './assetFilter.ts';
import type { Steps } from './steps.ts';

/** A text of a policy and what it says; undefined where it says nothing, which only a record that no server checked can. */
export interface CompiledText<T> {
  readonly text: string;
  readonly parsed: T | undefined;
}

/** Lists of alternatives, parsed. */
export type Compiled<T> = readonly (readonly CompiledText<T>[])[];

// By the lists themselves: they are the policy's for as long as it is kept.
const CONDITIONS = new WeakMap<readonly Alternatives[], Compiled<AttributeCondition>>();
const ASSERTIONS = new WeakMap<readonly Alternatives[], Compiled<Assertion>>();

function* compile<T>(lists: readonly Alternatives[], parse: (text: string) => T | undefined): Steps<Compiled<T>> {
  const compiled: CompiledText<T>[][] = [];
  for (const { or } of lists) {
    compiled.push(or.map((text) => ({ text, parsed: parse(text) })));
    yield;
  }
  return compiled;
}

/** The conditions of a policy's filter. */
export function* compileFilter({
  asset_filter: lists,
}: Pick<PolicyContent, 'asset_filter'>): Steps<Compiled<AttributeCondition>> {
  const compiled = CONDITIONS.get(lists) ?? (yield* compile(lists, parseCondition));
  CONDITIONS.set(lists, compiled);
  return compiled;
}

/** The assertions of a policy. */
export function* compileAssertions({
  richness_assertions: lists,
}: Pick<PolicyContent, 'richness_assertions'>): Steps<Compiled<Assertion>> {
  const compiled = ASSERTIONS.get(lists) ?? (yield* compile(lists, parseAssertion));
  ASSERTIONS.set(lists, compiled);
  return compiled;
}
