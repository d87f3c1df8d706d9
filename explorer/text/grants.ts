// What a permission of an access policy lets its principals do.
import { parseCondition } from '../../ledger/compliance/assetFilter.ts';
import type { AccessPolicyAnswer, PermissionAnswer } from '../api/admin.ts';
import type { Syntax } from './conditions.ts';

/** The name that stands for all names. */
export const ALL = '*';

/** Whether a permission is for anybody. */
const isForSomebody = ({ subjects, user_attributes }: PermissionAnswer): boolean =>
  subjects.length > 0 || user_attributes.length > 0;

/** Whether a permission lets its principals record events: it needs both, behaviours and display types. */
export const isRecording = (permission: PermissionAnswer): boolean =>
  isForSomebody(permission) && permission.behaviours.length > 0 && permission.event_arc_display_type_write.length > 0;

/** The attributes that a permission shows, in its newer and its older form. */
export const readAttributesOf = ({ include_attributes, asset_attributes_read }: PermissionAnswer): string[] => [
  ...new Set([...asset_attributes_read, ...include_attributes]),
];

/** Whether a permission shows anything. */
export const isReading = (permission: PermissionAnswer): boolean =>
  isForSomebody(permission) && readAttributesOf(permission).length + permission.event_arc_display_type_read.length > 0;

/** Whether one of a policy's permissions lets somebody record events. */
export const isRecordingPolicy = ({ access_permissions }: AccessPolicyAnswer): boolean =>
  access_permissions.some(isRecording);

/** A condition of a filter in words. */
export interface ConditionWords {
  /** Undefined for a text that is no condition, which no asset meets. */
  readonly name: string | undefined;
  readonly relation: string;
  /** Empty where the relation says it all. */
  readonly value: string;
}

const RELATIONS = { is: 'is', isNot: 'is not', isAny: 'has a value', isNone: 'has no value' } as const;

/** A condition in words: `attributes.colour!=red` is "colour is not red". */
export const toConditionWords = (text: string, syntax: Syntax): ConditionWords => {
  const condition = parseCondition(text, syntax);
  if (condition === undefined) return { name: undefined, relation: 'matches nothing', value: text };
  const { name, isDenied, value } = condition;
  if (value === undefined) return { name, relation: isDenied ? RELATIONS.isNone : RELATIONS.isAny, value: '' };
  return { name, relation: isDenied ? RELATIONS.isNot : RELATIONS.is, value };
};
