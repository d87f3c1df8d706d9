// What programs that generate clients read differently from validators. A value of several types has a schema for each
// in `anyOf`; the validators get one schema for all of them, so that a refusal names what is wrong with the value
// instead of what is wrong with each alternative. A pattern that only some languages have is `x-pattern`.
import { type ApiDocument, resolveSchema, type SchemaObject, withoutNull } from './document.ts';

/** One schema for alternatives of different types, whose keywords don't concern each other's values. */
const merge = (document: ApiDocument, { anyOf, ...schema }: SchemaObject): SchemaObject => {
  if (anyOf === undefined) return schema;
  const alternatives = anyOf.map((alternative) => resolveSchema(document, alternative));
  const types = alternatives.map(({ type }) => type as string);
  if (new Set(types).size < types.length) throw new TypeError('alternatives of the document must differ in their type');
  return Object.assign({}, ...alternatives, schema, { type: types });
};

const withPattern = ({ 'x-pattern': pattern, ...schema }: SchemaObject): SchemaObject =>
  pattern === undefined ? schema : { ...schema, pattern };

/**
 * The document as the validators get it: one schema for each value, with its pattern, and without `null`, which
 * server/http/bodies.ts removes before.
 */
export const toValidated = (document: ApiDocument): ApiDocument => {
  const change = (schema: SchemaObject): SchemaObject => withPattern(merge(document, withoutNull(schema)));
  const changeMembers = (schema: SchemaObject): SchemaObject =>
    schema.properties === undefined
      ? schema
      : {
          ...schema,
          properties: Object.fromEntries(
            Object.entries(schema.properties).map(([name, member]) => [name, change(member)]),
          ),
        };
  const { components, ...rest } = document;
  const schemas = Object.entries(components.schemas).map(([name, schema]) => [name, changeMembers(change(schema))]);
  return { ...rest, components: { ...components, schemas: Object.fromEntries(schemas) } };
};
