// An access policy as the entries of a form, and the reverse.
import type { AccessPolicyAnswer, PermissionAnswer } from '../api/admin.ts';
import type { AccessPolicyEntries } from '../api/adminWrites.ts';
import {
  type ConditionLists,
  type Syntax,
  toClaimRows,
  toFilterRows,
  toFilters,
  toUserAttributes,
} from './conditions.ts';
import { readAttributesOf } from './grants.ts';
import { toTextLines } from './subjects.ts';

/** Lists of names in a permission, each a text with a name on each line. */
const NAME_LISTS = [
  'asset_attributes_read',
  'event_arc_display_type_read',
  'event_arc_display_type_write',
  'asset_attributes_write',
] as const;

export type NameList = (typeof NAME_LISTS)[number];

/** A permission as a form has it. */
export interface PermissionText extends Readonly<Record<NameList, string>> {
  readonly subjects: readonly string[];
  readonly claims: ConditionLists;
  readonly behaviours: readonly string[];
}

/** An access policy as a form has it. */
export interface AccessPolicyText {
  readonly name: string;
  readonly description: string;
  readonly filters: ConditionLists;
  readonly permissions: readonly PermissionText[];
}

/** A permission that grants nothing yet. */
export const EMPTY_PERMISSION: PermissionText = {
  subjects: [],
  claims: [],
  behaviours: [],
  asset_attributes_read: '',
  event_arc_display_type_read: '',
  event_arc_display_type_write: '',
  asset_attributes_write: '',
};

/** A policy that nothing is entered for. */
export const EMPTY_POLICY: AccessPolicyText = {
  name: '',
  description: '',
  filters: [],
  permissions: [EMPTY_PERMISSION],
};

const toPermissionText = (permission: PermissionAnswer, syntax: Syntax): PermissionText => ({
  subjects: permission.subjects,
  claims: toClaimRows(permission.user_attributes, syntax),
  behaviours: permission.behaviours,
  asset_attributes_read: readAttributesOf(permission).join('\n'),
  event_arc_display_type_read: permission.event_arc_display_type_read.join('\n'),
  event_arc_display_type_write: permission.event_arc_display_type_write.join('\n'),
  asset_attributes_write: permission.asset_attributes_write.join('\n'),
});

/** The entries of a policy. */
export const toPolicyText = (policy: AccessPolicyAnswer): AccessPolicyText => ({
  name: policy.display_name,
  description: policy.description,
  filters: toFilterRows(policy.filters, policy.condition_syntax),
  permissions: policy.access_permissions.map((permission) => toPermissionText(permission, policy.condition_syntax)),
});

/** The permission that a form's entries are; the older form of the names to read becomes the newer one. */
export const toPermission = (text: PermissionText): PermissionAnswer => ({
  subjects: [...text.subjects],
  user_attributes: toUserAttributes(text.claims),
  behaviours: [...text.behaviours],
  include_attributes: [],
  asset_attributes_read: toTextLines(text.asset_attributes_read),
  event_arc_display_type_read: toTextLines(text.event_arc_display_type_read),
  event_arc_display_type_write: toTextLines(text.event_arc_display_type_write),
  asset_attributes_write: toTextLines(text.asset_attributes_write),
});

/** The policy that a form's entries are. */
export const toPolicyEntries = (text: AccessPolicyText): AccessPolicyEntries => ({
  display_name: text.name,
  description: text.description,
  filters: toFilters(text.filters),
  access_permissions: text.permissions.map(toPermission),
});

const isLine = (name: string): boolean => name.trim() === name && !name.includes('\n');

/** Whether lines can hold the names of a policy: names may have line breaks, and blanks at either end. */
export const isEditable = ({ access_permissions }: AccessPolicyAnswer): boolean =>
  access_permissions.every((permission) =>
    [readAttributesOf(permission), ...NAME_LISTS.map((list) => permission[list])].flat().every(isLine),
  );
