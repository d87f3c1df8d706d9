// The names of fields, as the server has them.

/** A JSON Pointer without its first slash (RFC 6901). */
export const toPointer = (...parts: readonly (string | number)[]): string =>
  parts.map((part) => String(part).replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
