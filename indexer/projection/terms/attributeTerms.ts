// The terms of attributes: of their texts, and of the texts in those that are maps or lists of maps.
import { hasFilledText, readMemberTexts } from '../../../ledger/records/attributePaths.ts';
import type { Attributes, AttributeValue } from '../../../ledger/records/attributes.ts';
import type { Collection } from '../../keys.ts';
import { cachedTerms } from './termCache.ts';
import { attributeTerm, memberPresenceTerm, memberTerm, presenceTerm } from './termNames.ts';

const { keep, keepWithin } = cachedTerms;

/** The terms of one attribute, or of one member of the maps in it. */
interface TextTerms {
  readonly presence: string;
  readonly ofValue: (value: string) => string;
}

/** The terms of one attribute. */
export interface AttributeName extends TextTerms {
  readonly ofMember: (member: string) => TextTerms;
}

/** Finds the terms of an attribute by its name. */
export type FindAttribute = (name: string) => AttributeName;

/** Returns the function that finds the terms of the attributes of a map. */
export const cacheAttributes = (collection: Collection, map: string): FindAttribute =>
  keep(
    (attribute): AttributeName => ({
      presence: presenceTerm(collection, map, attribute),
      ofValue: keepWithin((value) => attributeTerm(collection, map, attribute, value)),
      ofMember: keepWithin((member) => ({
        presence: memberPresenceTerm(collection, map, { attribute, member }),
        ofValue: keepWithin((value) => memberTerm(collection, map, { attribute, member }, value)),
      })),
    }),
  );

const isEmpty = (value: AttributeValue): boolean =>
  typeof value === 'string' || Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;

const addMembers = (terms: string[], { ofMember }: AttributeName, value: AttributeValue): void => {
  for (const [member, texts] of readMemberTexts(value)) {
    const { presence, ofValue } = ofMember(member);
    if (hasFilledText(texts)) terms.push(presence);
    for (const text of texts) terms.push(ofValue(text));
  }
};

/** Adds the terms of an attribute with this value; undefined for one that isn't there. */
export const addAttribute = (terms: string[], name: AttributeName, value: AttributeValue | undefined): void => {
  if (value === undefined) return;
  if (!isEmpty(value)) terms.push(name.presence);
  if (typeof value === 'string') terms.push(name.ofValue(value));
  else addMembers(terms, name, value);
};

/** Adds the terms of attributes. */
export const addAttributes = (terms: string[], findName: FindAttribute, attributes: Attributes): void => {
  for (const name in attributes) addAttribute(terms, findName(name), attributes[name]);
};
